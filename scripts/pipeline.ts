import { readFile } from "node:fs/promises";
import path from "node:path";
import { type Diagnostic, DiagnosticError } from "./diagnostic.js";
import type { OpenDocument } from "./load/load.js";
import type { Api, Emission, GeneratedFile, OperationGroup } from "./model/model.js";
import { buildApi, type BuiltApi } from "./model/build.js";
import { isObject } from "./model/node.js";
import type { Threads } from "./threads/threads.js";
import { buildManifest } from "./write/manifest.js";

/** What a run of the pipeline makes, before anything is written. */
export interface Generation {
  api: Api;
  files: GeneratedFile[];
  warnings: Diagnostic[];
}

export interface GenerateOptions {
  /** Whether to make response-validators.js too. */
  responseValidators?: boolean;
  /** Threads that emit; without them everything is done in this one, with the same result. */
  threads?: Threads;
  /** Called with the model once it is made; the document may still turn out to be wrong. */
  onApi?: (api: Api) => void;
  /** Called with the absolute path of each file before it is read, also of those that cannot be. */
  onFile?: (file: string) => void;
}

/**
 * Loads a document, builds the model and emits every artifact. Writes nothing.
 *
 * @param generator hash of the generator, for the manifest
 * @throws DiagnosticError with everything that is wrong with the document
 */
export async function generate(
  specFile: string,
  outDir: string,
  generator: string,
  { threads, onApi = () => {}, onFile, responseValidators = false }: GenerateOptions = {},
): Promise<Generation> {
  // Loaded here, because a run that finds nothing changed needs none of it.
  const { openDocument } = await import("./load/load.js");
  const opened = await openDocument(specFile, onFile ? { onFile } : {});
  const { api, warnings, locate, emission, lintWarnings } = await emitChecked(opened, threads, onApi);
  const onDemand = responseValidators
    ? (await import("./emit/response-validators.js")).emitResponseValidators(api)
    : { files: [], problems: [] };
  const problems = [...emission.problems, ...onDemand.problems].map(
    ({ severity, message, pointer }): Diagnostic => {
      return { severity, message, position: locate(pointer) };
    },
  );
  if (problems.some(({ severity }) => severity === "error")) throw new DiagnosticError(problems);
  const files = [...emission.files, ...onDemand.files];
  const manifest = buildManifest(outDir, generator, opened.hashes, files);
  return { api, files: [...files, manifest], warnings: [...lintWarnings, ...warnings, ...problems] };
}

interface Checked extends BuiltApi {
  emission: Emission;
  lintWarnings: Diagnostic[];
}

/**
 * Emits in other threads while this one lints. What lint finds comes first: a document that breaks the rules may
 * well break the model or an emitter too, and then the rule says it better.
 */
async function emitChecked(
  opened: OpenDocument,
  threads: Threads | undefined,
  onApi: (api: Api) => void,
): Promise<Checked> {
  let built: BuiltApi;
  try {
    built = buildApi(opened.document, opened.locate);
  } catch (error) {
    await opened.check();
    throw error;
  }
  if (!threads) {
    const lintWarnings = await opened.check();
    const { emit } = await import("./emit/emit.js");
    onApi(built.api);
    return { ...built, emission: emit(built.api), lintWarnings };
  }
  const emission = threads.emit(built.api);
  onApi(built.api);
  emission.catch(() => {});
  const lintWarnings = await opened.check();
  return { ...built, emission: await emission, lintWarnings };
}

/** The operation groups of what was generated last, from its openapi.json; the caller knows that it is up to date. */
export async function generatedGroups(outDir: string): Promise<OperationGroup[]> {
  const document: unknown = JSON.parse(await readFile(path.join(outDir, "openapi.json"), "utf8"));
  // The cast: anything that JSON.parse gives is a JSON value.
  const value = document as Parameters<typeof isObject>[0];
  if (!isObject(value)) throw new Error(`${outDir}/openapi.json is not an OpenAPI document`);
  const file = path.join(outDir, "openapi.json");
  return buildApi(value, (pointer) => ({ file, line: 1, col: 1, pointer })).api.groups;
}
