import { printTypeAlias } from "../../code/print-source.js";
import type { Operation } from "../../model/model.js";
import type { Imports } from "../imports.js";
import type { MessageTypes } from "../message-types.js";
import { isSuccessStatus, listSuccessResponses } from "../../model/success-responses.js";

/** Declares e.g. `CreatePageRequest`. A group of parameters is optional if no parameter in it is required. */
export function declareRequest(operation: Operation, types: MessageTypes): string {
  const parameters = types.printParameters(operation, true);
  const alternatives = types
    .printBodyAlternatives(operation)
    .map((body) => printObjectType([...parameters, ...body]));
  return printTypeAlias(`${operation.typeName}Request`, printUnionType(alternatives));
}

/** Declares e.g. `CreatePageResponse`: a union of the success responses, with one member per response and media type. */
export function declareResponse(operation: Operation, types: MessageTypes): string {
  const alternatives = listSuccessResponses(operation).flatMap((response) =>
    types.printResponseAlternatives(operation, response, response.statuses.filter(isSuccessStatus)),
  );
  const members = alternatives.map((each) => printObjectType([...each, "response: Response"]));
  return printTypeAlias(
    `${operation.typeName}Response${printTypeParameters(operation, types.imports)}`,
    members.length === 0 ? "never" : printUnionType(members),
  );
}

/**
 * Prints the type parameters of a response: `As` for an operation that returns bytes, otherwise none. The caller chooses
 * the type that represents the bytes, such as a stream or a Blob.
 */
export function printTypeParameters(operation: Operation, imports: Imports): string {
  const mediaTypes = listSuccessResponses(operation).flatMap((response) => response.mediaTypes);
  const returnsBytes = mediaTypes.some(({ kind }) => kind === "binary");
  return returnsBytes ? `<As extends keyof ${imports.importType("Bytes")} = "bytes">` : "";
}

function printObjectType(members: readonly string[]): string {
  return members.length === 0 ? "Record<string, never>" : `{ ${members.join("; ")} }`;
}

function printUnionType(members: readonly string[]): string {
  return members.length === 1 ? members.join("") : members.map((member) => `| ${member}`).join("\n");
}
