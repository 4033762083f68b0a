import { bundle, createConfig } from "@redocly/openapi-core";
import { format } from "prettier";
import { buildApi } from "../../../model/build.js";
import type { Api } from "../../../model/model.js";
import { type JsonObject, escapePointer, isObject } from "../../../json.js";
import { followPointer } from "../../../model/node.js";
import { printCurlCommand } from "./curl.js";
import { createRequests } from "./requests.js";
import { printClientProgram } from "./typescript.js";

/** A request made from an example of the document, in the languages of the docs. */
export interface CodeSample {
  path: string;
  method: string;
  operation: string;
  /** Name of the example of the body; undefined if there is none. */
  example: string | undefined;
  curl: string;
  typescript: string;
}

/** The width of the panel that shows samples, in characters. */
const PANEL_WIDTH = 64;

/**
 * Creates a sample for each example of each operation, in document order. Operations without examples for required
 * parameters and body, or with a body that is not JSON, have no samples.
 *
 * @param specFile path of the root file of a document that the generator accepts
 */
export async function createSamples(specFile: string): Promise<CodeSample[]> {
  return (await readDocument(specFile)).samples;
}

/**
 * Reads and bundles a document, with its members in the order in which they were written. Adds the first sample of each
 * operation as `x-codeSamples`, which Redoc shows.
 */
export async function readDocumentWithSamples(specFile: string): Promise<{ document: JsonObject; api: Api }> {
  const { document, api, samples } = await readDocument(specFile);
  for (const { path, method, curl, typescript } of samples) {
    const operation = followPointer(document, `/paths/${escapePointer(path)}/${method}`)?.value;
    if (!isObject(operation) || operation["x-codeSamples"] !== undefined) continue;
    // Redoc highlights JavaScript, but not TypeScript.
    operation["x-codeSamples"] = [
      { lang: "Shell", label: "curl", source: curl },
      { lang: "JavaScript", label: "TypeScript", source: typescript },
    ];
  }
  return { document, api };
}

async function readDocument(
  specFile: string,
): Promise<{ document: JsonObject; api: Api; samples: CodeSample[] }> {
  const { bundle: bundled } = await bundle({ ref: specFile, config: await createConfig({}) });
  // The cast: bundling gives the parsed YAML, and the generator refuses a document that is anything else.
  const document = bundled.parsed as JsonObject;
  const { api } = buildApi(document, (pointer) => ({ file: specFile, line: 1, col: 1, pointer }));
  const samples: CodeSample[] = [];
  for (const operation of api.operations) {
    for (const request of createRequests(operation)) {
      const { example, body } = request;
      const json = body === undefined ? undefined : await formatCode(JSON.stringify(body), "json");
      const curl = printCurlCommand(api, operation, request, json);
      if (curl === undefined) continue;
      const typescript = await formatCode(printClientProgram(api, operation, request), "typescript");
      const { path, method, name } = operation;
      samples.push({ path, method, operation: name, example, curl, typescript });
    }
  }
  return { document, api, samples };
}

async function formatCode(code: string, parser: "json" | "typescript"): Promise<string> {
  return (await format(code, { parser, printWidth: PANEL_WIDTH })).trim();
}
