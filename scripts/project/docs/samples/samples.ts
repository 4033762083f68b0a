import type { Api, JsonObject } from "../../../model/model.js";
import { followPointer, escapePointer, isObject } from "../../../model/node.js";
import { curlCommand } from "./curl.js";
import { exampleRequests } from "./examples.js";
import { clientProgram } from "./typescript.js";

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

/** Formats code for readers. */
export type Layout = (text: string, language: "json" | "typescript") => Promise<string>;

/**
 * Creates a sample for each example of each operation, in document order. Operations without examples for required
 * parameters and body, or with a body that is not JSON, have no samples.
 */
export async function codeSamples(api: Api, layout: Layout): Promise<CodeSample[]> {
  const samples: CodeSample[] = [];
  for (const operation of api.groups.flatMap(({ operations }) => operations)) {
    for (const { example, request } of exampleRequests(operation)) {
      const { body } = request;
      const json = body === undefined ? undefined : await layout(JSON.stringify(body), "json");
      const curl = curlCommand(api, operation, request, json?.trim());
      if (curl === undefined) continue;
      const typescript = (await layout(clientProgram(api, operation, request), "typescript")).trim();
      const { path, method, name } = operation;
      samples.push({ path, method, operation: name, example, curl, typescript });
    }
  }
  return samples;
}

/**
 * Adds the first sample of each operation to the document as `x-codeSamples`, which Redoc shows.
 *
 * @param document is changed
 */
export function addCodeSamples(document: JsonObject, samples: readonly CodeSample[]): void {
  for (const { path, method, curl, typescript } of samples) {
    const operation = followPointer(document, `/paths/${escapePointer(path)}/${method}`)?.value;
    if (!isObject(operation) || operation["x-codeSamples"] !== undefined) continue;
    // Redoc highlights JavaScript, but not TypeScript.
    operation["x-codeSamples"] = [
      { lang: "Shell", label: "curl", source: curl },
      { lang: "JavaScript", label: "TypeScript", source: typescript },
    ];
  }
}
