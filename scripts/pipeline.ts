import { type Diagnostic, DiagnosticError, sortDiagnostics } from "./diagnostic.js";
import type { EmitContext, Emitter } from "./emit/emitter.js";
import { defaultEmitters } from "./emit/registry.js";
import { runEmitters } from "./emit/run-emitters.js";
import { findRuntimeModules } from "./emit/runtime.js";
import type { LoadedDocument, LoadOptions } from "./load/load.js";
import { buildApi, type BuiltApi } from "./model/build.js";
import type { Api } from "./model/model.js";
import type { GeneratedFile } from "./emit/emitter.js";
import { buildManifest } from "./write/manifest.js";

/** Recorded instead of the generator's hash when a document must be compiled at every run. It never matches a real hash. */
export const UNVERSIONED = "0".repeat(64);

/** The output of the pipeline. Nothing has been written. */
export interface Compilation {
  api: Api;
  files: GeneratedFile[];
  warnings: Diagnostic[];
}

export interface CompileOptions extends LoadOptions {
  /** The built-in emitters by default. */
  emitters?: readonly Emitter[];
}

/**
 * Loads a document and builds its model.
 *
 * @throws DiagnosticError with every error of the document
 */
export async function readApi(
  specFile: string,
  options: LoadOptions,
): Promise<BuiltApi & { loaded: LoadedDocument }> {
  // Imported lazily: a run that finds everything up to date does not load the parser.
  const { loadDocument } = await import("./load/load.js");
  const loaded = await loadDocument(specFile, options);
  return { loaded, ...buildApi(loaded.document, loaded.locate) };
}

/**
 * Loads a document, builds the model and runs the emitters. Writes nothing.
 *
 * @param generator hash of the generator, for the manifest
 * @throws DiagnosticError with every error of the document
 */
export async function compile(
  specFile: string,
  outDir: string,
  generator: string,
  { emitters = defaultEmitters(), root, onFile }: CompileOptions = {},
): Promise<Compilation> {
  const { loaded, api, warnings } = await readApi(specFile, { root, onFile });
  const context: EmitContext = { runtime: await findRuntimeModules(outDir) };
  const emission = await runEmitters(emitters, api, context);
  const problems = sortDiagnostics(
    emission.problems.map(({ pointer, ...problem }) => ({ ...problem, position: loaded.locate(pointer) })),
  );
  if (problems.some(({ severity }) => severity === "error")) throw new DiagnosticError(problems);
  const allWarnings = [...loaded.warnings, ...warnings, ...problems];
  const manifest = buildManifest(
    outDir,
    // A document with warnings is compiled at every run, so that they are shown again.
    allWarnings.length === 0 ? generator : UNVERSIONED,
    emitters.map(({ name }) => name),
    loaded.hashes,
    emission.files,
  );
  return { api, files: [...emission.files, manifest], warnings: allWarnings };
}
