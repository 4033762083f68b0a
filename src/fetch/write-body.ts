import { isJson } from "../http/media-types.js";
import { getOwnValue } from "./encode.js";
import type { WriteBody, WrittenBody } from "./operation.js";
import { type QueryWriter, writeQuery } from "./query.js";

/** Bytes to send. A stream is sent as it is read. */
export type BinaryInput = Blob | Uint8Array | ArrayBuffer | ReadableStream<Uint8Array>;

export function isBinary(value: unknown): value is BinaryInput {
  return [Blob, Uint8Array, ArrayBuffer, ReadableStream].some((kind) => value instanceof kind);
}

/** Creates the writer of a body of one media type: JSON is serialized, bytes and any other body are sent unchanged. */
export function writeAs(contentType: string): WriteBody {
  return (body) =>
    isJson(contentType) && !isBinary(body)
      ? { body, headers: { "Content-Type": contentType } }
      : writeRaw(body, contentType);
}

/** Creates the writer of a JSON body with a media type that is not that of JSON, such as a number in `text/plain`. */
export function writeJson(contentType: string): WriteBody {
  return (body) => writeRaw(isBinary(body) ? body : JSON.stringify(body), contentType);
}

const FORM = "application/x-www-form-urlencoded";

/**
 * Creates the writer of an `application/x-www-form-urlencoded` body. Fields without a writer are text; lists are repeated
 * and objects are JSON. A string or URLSearchParams is sent unchanged.
 */
export function writeForm(writers: Record<string, QueryWriter> = {}): WriteBody {
  return (body) => {
    if (typeof body === "string" || body instanceof URLSearchParams) return writeRaw(String(body), FORM);
    const fields = Object.entries(Object(body)).map(([name, value]) => [
      name,
      isObject(value) && getOwnValue(writers, name) === undefined ? JSON.stringify(value) : value,
    ]);
    return writeRaw(writeQuery(Object.fromEntries(fields), writers), FORM);
  };
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Creates the writer of a body for which an operation declares several media types or a range, so that the caller names the
 * media type.
 *
 * @param writers writers of media types that `writeAs` does not support, such as forms
 */
export function writeByMediaType(writers: Record<string, WriteBody> = {}): WriteBody {
  return (body, contentType) => {
    if (contentType === undefined) return { body };
    return (getOwnValue(writers, contentType) ?? writeAs(contentType))(body, contentType);
  };
}

/**
 * Writes a body that fetch sends unchanged, with the options of openapi-fetch that this requires.
 *
 * @param contentType null if fetch determines it
 */
export function writeRaw(body: unknown, contentType: string | null): WrittenBody {
  return {
    body,
    headers: { "Content-Type": contentType },
    bodySerializer: (written) => written,
    ...(body instanceof ReadableStream ? { duplex: "half" as const } : {}),
  };
}
