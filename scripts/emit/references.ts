import type { MediaType, Operation, Response } from "../model/model.js";
import { stringLiteral } from "../code/encode.js";

/** Name under which the `operations` of types.ts are imported: `operations` itself is the table of routes.ts. */
export const TYPES = "Types";

/** Name under which the `webhooks` of types.ts are imported. */
export const WEBHOOKS = "Webhooks";

/** The type of an operation, or of an operation of a webhook. */
function operationType({ id, webhook, method }: Operation): string {
  if (webhook !== undefined) return `${WEBHOOKS}[${stringLiteral(webhook)}]["${method}"]`;
  return `${TYPES}[${stringLiteral(id)}]`;
}

/** The type of a group of parameters, e.g. `Types["retrievePage"]["parameters"]["path"]`. */
export function parametersType(operation: Operation, place: string): string {
  return `NonNullable<${operationType(operation)}["parameters"]["${place}"]>`;
}

/**
 * The type of a request body of one media type, as a handler gets it. Files are not kept in memory: what is bytes is
 * a stream, and a multipart body with files comes part by part.
 */
export function bodyType(operation: Operation, mediaType: MediaType): string {
  const { kind, schemaPointer } = mediaType;
  if (kind === "text") return "string";
  if (kind === "binary") return "Readable";
  const body = `NonNullable<${operationType(operation)}["requestBody"]>`;
  const declared = `${body}["content"][${stringLiteral(mediaType.name)}]`;
  if (kind === "multipart" && hasFiles(mediaType)) {
    const files = mediaType.fields.filter(({ file }) => file).map(({ name }) => stringLiteral(name));
    const names = files.length === 0 ? "never" : files.join(" | ");
    return `Multipart<${schemaPointer ? declared : "Record<string, unknown>"}, ${names}>`;
  }
  if (schemaPointer) return declared;
  return kind === "json" ? "unknown" : "Record<string, unknown>";
}

/** Whether a multipart body can have files; one that declares no parts can. */
export function hasFiles({ kind, fields }: MediaType): boolean {
  return kind === "multipart" && (fields.length === 0 || fields.some(({ file }) => file));
}

/** The type of a response of openapi-typescript's table. */
export function responseReference(operation: Operation, response: Response): string {
  const key = /^[0-9]+$/.test(response.key) ? response.key : stringLiteral(response.key);
  return `${operationType(operation)}["responses"][${key}]`;
}

/** The type of a response body of one media type, as a handler gives it. */
export function responseBodyType(operation: Operation, response: Response, mediaType: MediaType): string {
  const { kind, schemaPointer, item } = mediaType;
  if (kind === "text") return "string";
  const declared = `${responseReference(operation, response)}["content"][${stringLiteral(mediaType.name)}]`;
  if (item) {
    const one = item.schemaPointer === undefined ? "unknown" : item.listed ? `ItemOf<${declared}>` : declared;
    if (kind === "jsonl" || item.whole) return `AsyncIterable<${one}>`;
    return `AsyncIterable<ServerSentEvent<${item.schemaPointer === undefined ? "string" : one}>>`;
  }
  if (kind !== "json") return "BinaryBody";
  return schemaPointer ? declared : "unknown";
}

/** Whether a body says of which media type it is: where there are several, or one that stands for many. */
export function namesMediaType(mediaTypes: MediaType[]): boolean {
  return mediaTypes.length > 1 || mediaTypes.some(({ name }) => name !== "*/*" && name.endsWith("/*"));
}

/** Whether a response that the document calls by this key is a success. */
export function isSuccess(response: Response): boolean {
  return response.statuses.some((status) => status < 300);
}
