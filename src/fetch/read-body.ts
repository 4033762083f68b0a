import { findMediaType, getEssence, isJson, isRange } from "../http/media-types.js";
import type { CreateError } from "./errors.js";
import type { CallOptions, ReadBody } from "./operation.js";

/** Representations of the bytes of a response, by value of the option `as`; `bytes` by default. */
export interface Bytes {
  bytes: Uint8Array;
  blob: Blob;
  /** The bytes as they arrive, not buffered. */
  stream: ReadableStream<Uint8Array>;
}

/** Reads a body of any media type as text. */
export const readText: ReadBody = async (response) => ({ body: await response.text() });

/** Reads a JSON body; an empty body gives undefined. */
export const readJson: ReadBody = async (response, _, createError) => ({
  body: parseJson(await response.text(), createError),
});

/**
 * Parses JSON; undefined for an empty text or no text.
 *
 * @param createError creates the error for text that is not JSON, e.g. the HTML error page of a proxy
 */
export function parseJson(text: unknown, createError: CreateError): unknown {
  if (typeof text !== "string" || text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw createError(text, "the body is not JSON");
  }
}

/** Reads the bytes of a response in the form that the option `as` names. */
export const readBytes: ReadBody = async (response, options: CallOptions & { as?: string }) => {
  if (options.as === "blob") return { body: await response.blob() };
  if (options.as === "stream") return { body: response.body ?? new Blob([]).stream() };
  return { body: new Uint8Array(await response.arrayBuffer()) };
};

/** Discards a body that the document does not declare. */
export const readNothing: ReadBody = async ({ body }) => {
  // A body that has failed rejects, which does not matter here.
  body?.cancel().catch(() => {});
  return { body: undefined };
};

/**
 * Creates the reader of a response that can have several media types.
 *
 * @param readers readers by declared media type; the Content-Type of the response selects one
 * @returns a reader that reads an undeclared media type as JSON, text or bytes
 */
export function readByMediaType(readers: Record<string, ReadBody>): ReadBody {
  const declared = Object.keys(readers);
  return async (response, options, createError) => {
    const sentType = response.headers.get("Content-Type") ?? "";
    const isEmpty = response.body === null || response.headers.get("Content-Length") === "0";
    // All statuses share this reader, and one without content, such as 202, has no Content-Type.
    if (sentType === "" && !declared.includes("*/*") && isEmpty) return { body: undefined };
    const declaredType = findMediaType(sentType, declared);
    // `*/*` also includes a response without a Content-Type.
    const read = readers[declaredType ?? "*/*"] ?? chooseReader(sentType);
    const contentType =
      declaredType === undefined || isRange(declaredType) ? getEssence(sentType) : declaredType;
    return { ...(await read(response, options, createError)), contentType };
  };
}

function chooseReader(contentType: string): ReadBody {
  if (isJson(contentType)) return readJson;
  return getEssence(contentType).startsWith("text/") ? readText : readBytes;
}

/**
 * Creates the reader of an operation whose responses declare different content for the same media type.
 *
 * @param readers readers by status; `2XX` for all others
 * @returns a reader that reads an undeclared status by the Content-Type of the response
 */
export function readByStatus(readers: Record<string, ReadBody>): ReadBody {
  const readUndeclared = readByMediaType({});
  return (response, options, createError) => {
    const read = readers[response.status] ?? readers["2XX"] ?? readUndeclared;
    return read(response, options, createError);
  };
}
