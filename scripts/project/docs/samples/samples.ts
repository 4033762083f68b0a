import { bundle, createConfig } from "@redocly/openapi-core";
import { format } from "prettier";
import { buildApi } from "../../../model/build.js";
import type { Api, Operation } from "../../../model/model.js";
import { type JsonObject, escapePointer, isObject } from "../../../json.js";
import { followPointer } from "../../../follow-pointer.js";
import { printClientProgram, printCurlCommand } from "./print-request.js";
import { createRequests, type SampleRequest } from "./requests.js";

/** A request made from an example of the document, in the languages of the docs. */
interface CodeSample {
  path: string;
  method: string;
  operation: string;
  /** Name of the example of the body; undefined if there is none. */
  exampleName: string | undefined;
  curl: string;
  typescript: string;
}

/** The width of the panel that shows samples, in characters. */
const PANEL_WIDTH = 64;

/**
 * Reads and bundles a document, with its members in the order in which they were written, and creates a sample for each
 * example of each operation. Operations without examples for required parameters and body, or with a body that is not
 * JSON, have no samples. Adds the first sample of each operation as `x-codeSamples`, which Redoc shows.
 *
 * @param specFile path of the root file of a document that the generator accepts
 */
export async function readDocumentWithSamples(
  specFile: string,
): Promise<{ document: JsonObject; api: Api; samples: CodeSample[] }> {
  const { bundle: bundled } = await bundle({ ref: specFile, config: await createConfig({}) });
  // Safe cast: bundling gives the parsed YAML, and the generator refuses a document that is anything else.
  const document = bundled.parsed as JsonObject;
  const { api } = buildApi(document, (pointer) => ({ file: specFile, line: 1, col: 1, pointer }));
  const samples: CodeSample[] = [];
  for (const operation of api.operations)
    for (const request of createRequests(operation)) samples.push(await printSample(api, operation, request));
  for (const { path, method, curl, typescript } of samples) {
    const operation = followPointer(document, `/paths/${escapePointer(path)}/${method}`)?.value;
    if (!isObject(operation) || operation["x-codeSamples"] !== undefined) continue;
    // Redoc highlights JavaScript, but not TypeScript.
    operation["x-codeSamples"] = [
      { lang: "Shell", label: "curl", source: curl },
      { lang: "JavaScript", label: "TypeScript", source: typescript },
    ];
  }
  return { document, api, samples };
}

/** Prints a request in all languages. */
async function printSample(api: Api, operation: Operation, request: SampleRequest): Promise<CodeSample> {
  const { exampleName, body } = request;
  const json = body === undefined ? undefined : await formatCode(JSON.stringify(body), "json");
  const curl = printCurlCommand(api, operation, request, json);
  const typescript = await formatCode(printClientProgram(api, operation, request), "typescript");
  const { path, method, name } = operation;
  return { path, method, operation: name, exampleName, curl, typescript };
}

async function formatCode(code: string, parser: "json" | "typescript"): Promise<string> {
  return (await format(code, { parser, printWidth: PANEL_WIDTH })).trim();
}
