import { DiagnosticError } from "../../../scripts/diagnostic.js";
import { buildApi } from "../../../scripts/model/build.js";
import type { Api, Operation } from "../../../scripts/model/model.js";
import type { JsonObject } from "../../../scripts/json.js";

/** Creates a minimal document with paths and components. */
export function documentWith(paths: JsonObject, rest: JsonObject = {}): JsonObject {
  return { openapi: "3.1.0", info: { title: "T", version: "1" }, paths, ...rest };
}

/** Creates an operation from some members, with minimal values for the others. */
export function operationWith(part: JsonObject = {}): JsonObject {
  return { responses: { "204": { description: "Done." } }, ...part };
}

/** Builds the model of a document, whose positions have only JSON pointers. */
export function build(document: JsonObject): Api {
  return buildApi(document, (pointer) => ({ file: "openapi.yaml", line: 1, col: 1, pointer })).api;
}

/** Lists the operations of a document in its order. */
export function operationsOf(document: JsonObject): readonly Operation[] {
  return build(document).operations;
}

/** Builds the operation POST /things/{id} with some members. */
export function built(part: JsonObject, rest: JsonObject = {}): Operation {
  const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
  const paths = { "/things/{id}": { parameters: [id], post: operationWith(part) } };
  const [operation] = operationsOf(documentWith(paths, rest));
  if (!operation) throw new Error("The document has no operation.");
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
    const { warnings } = buildApi(document, locate);
    return show(warnings.map(({ pointer, ...warning }) => ({ ...warning, position: locate(pointer) })));
  } catch (error) {
    if (error instanceof DiagnosticError) return show(error.diagnostics);
    throw error;
  }
}

/** Pointer of the encoding of the part `a` in an operation with the body of `createPartBody`. */
export const PART = "/paths/~1things~1{id}/post/requestBody/content/multipart~1form-data/encoding/a";

/** Creates an operation with a multipart body whose part `a` has an encoding. */
export function createPartBody(encoding: JsonObject, schema: JsonObject = { type: "array" }): JsonObject {
  const mediaType = { schema: { type: "object", properties: { a: schema } }, encoding: { a: encoding } };
  return { requestBody: { content: { "multipart/form-data": mediaType } } };
}
