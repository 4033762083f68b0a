import { readFile } from "node:fs/promises";
import path from "node:path";
import { type Diagnostic, DiagnosticError } from "./diagnostic.js";
import type { Api, GeneratedFile, OperationGroup } from "./model/model.js";
import { buildApi } from "./model/build.js";
import { isObject } from "./model/node.js";
import { buildManifest } from "./write/manifest.js";

/** What a run of the pipeline makes, before anything is written. */
export interface Generation {
  api: Api;
  files: GeneratedFile[];
  warnings: Diagnostic[];
}

/**
 * Loads a document, builds the model, emits every artifact and formats it. Writes nothing.
 *
 * @param generator hash of the generator, for the manifest
 * @throws DiagnosticError with everything that is wrong with the document
 */
export async function generate(specFile: string, outDir: string, generator: string): Promise<Generation> {
  // Loaded here, because a run that finds nothing changed needs none of it.
  const [{ loadDocument }, { emit }, { formatFiles }] = await Promise.all([
    import("./load/load.js"),
    import("./emit/emit.js"),
    import("./write/format.js"),
  ]);
  const loaded = await loadDocument(specFile);
  const { api, warnings } = buildApi(loaded.document, loaded.locate);
  const { files: emitted, problems } = emit(api);
  const found = problems.map(({ severity, message, pointer }): Diagnostic => {
    return { severity, message, position: loaded.locate(pointer) };
  });
  const all = [...loaded.warnings, ...warnings, ...found];
  if (found.some(({ severity }) => severity === "error")) throw new DiagnosticError(found);
  const files = await formatFiles(emitted);
  const manifest = await buildManifest(outDir, generator, loaded.files, files);
  return { api, files: [...files, manifest], warnings: all };
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
