import type { MediaType, Operation, Response } from "../model/model.js";
import { stringLiteral } from "./encode.js";

/** Name under which the `operations` of types.ts are imported: `operations` itself is the table of routes.ts. */
export const TYPES = "Types";

/** The type of an operation. openapi-typescript writes its key with a slash for each number sign. */
function operationType({ id }: Operation): string {
  return `${TYPES}[${stringLiteral(id.replaceAll("#", "/"))}]`;
}

/** The type of a group of parameters, e.g. `Types["retrievePage"]["parameters"]["path"]`. */
export function parametersType(operation: Operation, place: string): string {
  return `NonNullable<${operationType(operation)}["parameters"]["${place}"]>`;
}

/** The type of a request body of one media type. What is not JSON arrives as the text or the bytes that were sent. */
export function bodyType(operation: Operation, mediaType: MediaType): string {
  if (mediaType.kind === "text" || mediaType.kind === "form") return "string";
  if (mediaType.kind !== "json") return "Uint8Array";
  if (!mediaType.schemaPointer) return "unknown";
  const body = `NonNullable<${operationType(operation)}["requestBody"]>`;
  return `${body}["content"][${stringLiteral(mediaType.name)}]`;
}

/** The type of a response of openapi-typescript's table. */
export function responseReference(operation: Operation, response: Response): string {
  const key = /^[0-9]+$/.test(response.key) ? response.key : stringLiteral(response.key);
  return `${operationType(operation)}["responses"][${key}]`;
}

/** The type of a response body of one media type. */
export function responseBodyType(operation: Operation, response: Response, mediaType: MediaType): string {
  if (mediaType.kind === "text" || mediaType.kind === "form") return "string";
  if (mediaType.kind !== "json") return "Uint8Array";
  if (!mediaType.schemaPointer) return "unknown";
  return `${responseReference(operation, response)}["content"][${stringLiteral(mediaType.name)}]`;
}

/** Whether a response that the document calls by this key is a success. */
export function isSuccess(response: Response): boolean {
  return response.statuses.some((status) => status < 300);
}
