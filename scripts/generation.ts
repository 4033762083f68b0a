import path from "node:path";
import { NO_EDITS, planUnlessCached } from "./adapters/cache.js";
import { applyAdapterEdits } from "./adapters/files.js";
import type { AdapterPlan } from "./adapters/plan.js";
import {
  type Diagnostic,
  DiagnosticError,
  hasErrors,
  locateProblems,
  sortDiagnostics,
} from "./diagnostic.js";
import type { JsonObject } from "./json.js";
import { defaultEmitters } from "./emit/registry.js";
import { runEmitters } from "./emit/run-emitters.js";
import type { GenerationSettings } from "./generation-settings.js";
import { type PreviousGeneration, type GeneratedOutput, updateFiles } from "./incremental/update-files.js";
import { findRuntimeModules } from "./emit/runtime-modules.js";
import type { LoadedDocument, LoadOptions } from "./load/load.js";
import { buildApi } from "./model/build.js";
import type { HandlerGroup } from "./model/model.js";
import { hashGenerator } from "./write/generator-hash.js";
import { SchemaError } from "./model/schema/schema-error.js";
import { sha256 } from "./hash.js";
import { buildManifest, findUpToDateManifest, getRelativePath, type Manifest } from "./write/manifest.js";
import { applyWrites, planWrites, type WritePlan } from "./write/write-plan.js";

/** The state of a command that generates again and again. */
export interface Session {
  /** Called with the absolute path of each file of the document before it is read. */
  onFile?: (file: string) => void;
  /** The last generation without errors. */
  previous?: PreviousGeneration | undefined;
}

/** The changes that bring an output folder and its adapters up to date with the document. */
export interface GenerationPlan {
  files: WritePlan;
  adapters: AdapterPlan;
  warnings: Diagnostic[];
  /** Writes all changes to disk. */
  apply(): Promise<void>;
}

/** Plans a generation, or only the adapters if the manifest says that nothing else changed. Throws a DiagnosticError with all errors. */
export async function planChanges(options: GenerationSettings): Promise<GenerationPlan> {
  const { spec, out } = options;
  const generatorHash = await hashGeneratorAndOptions(options);
  const manifest = generatorHash && (await findUpToDateManifest(out, generatorHash, spec));
  if (!manifest) return planGeneration(options, generatorHash);
  const adapters = await recheckAdapters(options, manifest);
  const files = { added: [], changed: [], stale: [] };
  const { warnings = [] } = manifest;
  return { files, adapters, warnings, apply: () => applyAdapterEdits(adapters.edits) };
}

/** Compares the output of a document with the files on disk. `generatorHash` is that of `hashGeneratorAndOptions`. */
export async function planGeneration(
  options: GenerationSettings,
  generatorHash: string | undefined,
  session?: Session,
): Promise<GenerationPlan> {
  const { out, adapters } = options;
  const { groups, files: generated, warnings } = await generateFiles(options, generatorHash, session);
  const files = await planWrites(out, generated);
  const report = adapters === undefined ? NO_EDITS : await planAdaptersLazily(groups, adapters, out);
  const apply = async (): Promise<void> => {
    await applyWrites(out, generated, files);
    await applyAdapterEdits(report.edits);
  };
  return { files, adapters: report, warnings, apply };
}

/** Recorded instead of the generator's hash when files must be generated at every run. It never matches a real hash. */
const UNVERSIONED = "0".repeat(64);

/**
 * Loads a document, builds the model and runs the emitters. Writes nothing. The manifest is the last file.
 * @throws DiagnosticError with every error of the document
 */
export async function generateFiles(
  { spec, out, root, emitters = defaultEmitters() }: GenerationSettings,
  generatorHash: string = UNVERSIONED,
  session: Session = {},
): Promise<Omit<GeneratedOutput, "warnings"> & { warnings: Diagnostic[] }> {
  const { previous, onFile } = session;
  const loaded = await loadDocumentLazily(spec, { root, onFile });
  const context = { runtime: await findRuntimeModules(out) };
  const generate = async (source: JsonObject): Promise<GeneratedOutput> => {
    try {
      const { api, warnings } = buildApi(source, loaded.locate);
      const { files, problems } = await runEmitters(emitters, api, context);
      if (hasErrors(problems)) throw new DiagnosticError(locateProblems(problems, loaded.locate));
      return { groups: pickHandlers(api.groups), files, warnings: [...warnings, ...problems] };
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      const message = `No code can be generated for this schema: ${error.message}.`;
      throw new DiagnosticError(message, loaded.locate(error.pointer));
    }
  };
  const { document } = loaded;
  const updateOrGenerate = async (): Promise<PreviousGeneration> =>
    (previous && (await updateFiles(previous, document, context, generate))) ?? {
      ...(await generate(document)),
      document,
      context,
    };
  const generation = await updateOrGenerate().catch((error: unknown) => {
    if (!(error instanceof DiagnosticError)) throw error;
    // A warning from loading can explain the error.
    throw new DiagnosticError(sortDiagnostics([...loaded.warnings, ...error.diagnostics]));
  });
  session.previous = generation;
  const warnings = sortDiagnostics([
    ...loaded.warnings,
    ...locateProblems(generation.warnings, loaded.locate),
  ]);
  const manifest = buildManifest(out, {
    // A file that does not exist has no hash, so nothing would notice that it is created.
    generator: loaded.isComplete ? generatorHash : UNVERSIONED,
    emitters: emitters.map(({ name }) => name),
    inputs: loaded.hashes,
    outputs: generation.files,
    warnings,
  });
  return { groups: generation.groups, files: [...generation.files, manifest], warnings };
}

/** Picks the properties of handlers that adapters depend on, so that the model can be discarded. */
function pickHandlers(groups: readonly HandlerGroup[]): HandlerGroup[] {
  return groups.map(({ name, interfaceName, operations }) => ({
    name,
    interfaceName,
    operations: operations.map(({ name: operation, method, path: route, summary }) => ({
      name: operation,
      method,
      path: route,
      summary,
    })),
  }));
}

async function loadDocumentLazily(spec: string, options: LoadOptions): Promise<LoadedDocument> {
  // Imported lazily: a run that finds everything up to date does not load the parser.
  const { loadDocument } = await import("./load/load.js");
  return loadDocument(spec, options);
}

/** Hashes the toolkit and the options that decide which files it emits; undefined if an emitter without a version always runs. */
export async function hashGeneratorAndOptions({
  out,
  root,
  emitters = defaultEmitters(),
}: GenerationSettings): Promise<string | undefined> {
  const versions = emitters.flatMap(({ name, version }) => (version === undefined ? [] : [[name, version]]));
  if (versions.length < emitters.length) return undefined;
  // Relative, so that it is the same on every machine and however the option is written.
  const relativeRoot = root === undefined ? null : getRelativePath(out, root);
  return sha256(
    JSON.stringify([await hashGenerator(), versions, await findRuntimeModules(out), relativeRoot]),
  );
}

async function planAdaptersLazily(
  groups: readonly HandlerGroup[],
  dir: string,
  out: string,
): Promise<AdapterPlan> {
  // Imported lazily: ts-morph takes a quarter of a second to load.
  const { planAdapters } = await import("./adapters/plan.js");
  return planAdapters(groups, path.resolve(dir), path.resolve(out, "routes.ts"));
}

/** Plans only the adapters, which can change independently of the document. */
async function recheckAdapters(
  { adapters, out, spec, root }: GenerationSettings,
  manifest: Manifest,
): Promise<AdapterPlan> {
  if (adapters === undefined) return NO_EDITS;
  return planUnlessCached(path.resolve(adapters), JSON.stringify(manifest), async () => {
    const { document, locate } = await loadDocumentLazily(spec, { root });
    return planAdaptersLazily(buildApi(document, locate).api.groups, adapters, out);
  });
}
