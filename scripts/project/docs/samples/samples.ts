import type { Api, JsonObject } from "../../../model/model.js";
import { at, escapePointer, isObject } from "../../../model/node.js";
import { curlCommand } from "./curl.js";
import { exampleRequests } from "./examples.js";
import { clientProgram } from "./typescript.js";

/** A request of an operation, made from an example of the document, in the languages that the docs show. */
export interface CodeSample {
  path: string;
  method: string;
  operation: string;
  /** The name of the example that its body is; undefined where there is none. */
  example: string | undefined;
  curl: string;
  typescript: string;
}

/** Lays out a text for people. The emitter leaves that to its caller, as all of them do. */
export type Layout = (text: string, language: "json" | "typescript") => Promise<string>;

/**
 * A sample for each example of each operation, in the document's order. An operation whose required parameters or body
 * have no example has none, nor has one whose body is no JSON.
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
 * Adds `x-codeSamples`, as Redocly's docs show them, to the operations of a document: the first sample of each.
 *
 * @param document is changed
 */
export function addCodeSamples(document: JsonObject, samples: readonly CodeSample[]): void {
  for (const { path, method, curl, typescript } of samples) {
    const operation = at(document, `/paths/${escapePointer(path)}/${method}`)?.value;
    if (!isObject(operation) || operation["x-codeSamples"] !== undefined) continue;
    // Redoc colours JavaScript and no TypeScript.
    operation["x-codeSamples"] = [
      { lang: "Shell", label: "curl", source: curl },
      { lang: "JavaScript", label: "TypeScript", source: typescript },
    ];
  }
}
