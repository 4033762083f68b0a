import { readFile } from "node:fs/promises";
import path from "node:path";
import { type Diagnostic, DiagnosticError, sortDiagnostics } from "./diagnostic.js";
import type { EmitContext, Emitter } from "./emit/emitter.js";
import { defaultEmitters } from "./emit/registry.js";
import { runEmitters } from "./emit/run-emitters.js";
import { findRuntimeModules } from "./emit/runtime.js";
import { buildApi } from "./model/build.js";
import type { Api, OperationGroup } from "./model/model.js";
import type { GeneratedFile } from "./emit/emitter.js";
import { isObject, type JsonValue } from "./model/json.js";
import { buildManifest } from "./write/manifest.js";

/** Recorded instead of the generator's hash when a document must be compiled at every run. It never matches a real hash. */
export const UNVERSIONED = "0".repeat(64);

/** The output of the pipeline. Nothing has been written. */
export interface Compilation {
  api: Api;
  files: GeneratedFile[];
  warnings: Diagnostic[];
}

export interface CompileOptions {
  /** The built-in emitters by default. */
  emitters?: readonly Emitter[];
  /** Folder that references may not lead out of; the folder of the document by default. */
  root?: string;
  /** Called with the absolute path of each file before it is read, even if reading it fails. */
  onFile?: (file: string) => void;
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
  // Imported lazily: a run that finds everything up to date does not load the parser.
  const { loadDocument } = await import("./load/load.js");
  const loaded = await loadDocument(specFile, { root, onFile });
  const { api, warnings } = buildApi(loaded.document, loaded.locate);
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

/** Reads the operation groups of an output folder that is up to date from its openapi.json. */
export async function readGeneratedGroups(outDir: string): Promise<readonly OperationGroup[]> {
  const file = path.join(outDir, "openapi.json");
  // The cast: anything that JSON.parse returns is a JSON value.
  const document = JSON.parse(await readFile(file, "utf8")) as JsonValue;
  if (!isObject(document)) throw new Error(`${file} is not an OpenAPI document`);
  return buildApi(document, (pointer) => ({ file, line: 1, col: 1, pointer })).api.groups;
}
