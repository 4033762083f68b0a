import { DiagnosticError } from "../../../scripts/diagnostic.js";
import { buildApi } from "../../../scripts/model/build.js";
import type { Api, JsonObject, Operation } from "../../../scripts/model/model.js";

/** A document with the given paths and components, otherwise as small as can be. */
export function documentWith(paths: JsonObject, rest: JsonObject = {}): JsonObject {
  return { openapi: "3.1.0", info: { title: "T", version: "1" }, paths, ...rest };
}

/** An operation with what a test is about, and the least of the rest. */
export function operationWith(part: JsonObject = {}): JsonObject {
  return { responses: { "204": { description: "Done." } }, ...part };
}

/** The model of a document; positions are told by the JSON pointer alone. */
export function build(document: JsonObject): Api {
  return buildApi(document, (pointer) => ({ file: "openapi.yaml", line: 1, col: 1, pointer })).api;
}

/** The operations of a document, in its order. */
export function operationsOf(document: JsonObject): Operation[] {
  return build(document).groups.flatMap((group) => group.operations);
}

/** The only operation of a document that has one with these members, at POST /things/{id}. */
export function built(part: JsonObject, rest: JsonObject = {}): Operation {
  const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
  const paths = { "/things/{id}": { parameters: [id], post: operationWith(part) } };
  const [operation] = operationsOf(documentWith(paths, rest));
  if (!operation) throw new Error("the document has no operation");
  return operation;
}

/** Lists the errors of a document as `pointer: message`; warnings start with `warning`. */
export function problemsOf(document: JsonObject): string[] {
  const locate = (pointer: string) => ({ file: "openapi.yaml", line: 1, col: 1, pointer });
  const show = (list: DiagnosticError["diagnostics"]): string[] =>
    list.map(
      ({ severity, message, position }) =>
        `${severity === "error" ? "" : "warning "}${position?.pointer}: ${message}`,
    );
  try {
    return show(buildApi(document, locate).warnings);
  } catch (error) {
    if (error instanceof DiagnosticError) return show(error.diagnostics);
    throw error;
  }
}
