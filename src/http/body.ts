import type { IncomingMessage } from "node:http";
import { setImmediate } from "node:timers/promises";
import { InvalidRequestError, shorten } from "./errors.js";
import { checkStrings, decodeUtf8, parseJson } from "./json.js";
import { getEssence, findMediaType, isRange } from "./media-types.js";
import { MultipartBody } from "./multipart.js";
import { parseLines } from "./body-lines.js";
import {
  createAbortedError,
  createStream,
  createTooLargeError,
  getContentLength,
  type ReadChunk,
  createBodyReader,
} from "./body-stream.js";
import type { HttpOperation, MediaKind } from "./types.js";
import { checkCharset, decodeForm } from "./form-values.js";

/** A request body that was read or, for a stream, can be read. */
export interface RequestBody {
  /** Media type that the operation declares; undefined if the request has no body. */
  declaredType: string | undefined;
  /** The declared media type, or the one that was sent if a range such as `image/*` is declared. */
  contentType: string | undefined;
  value: unknown;
  /** Whether the value is a stream that has not been read. */
  streamed?: boolean;
}

export interface BodyLimits {
  /** Maximum size in bytes of a body that is read into memory. */
  bodyLimit: number;
  /** Maximum size in bytes of a body that is passed on as a stream. */
  uploadLimit: number;
}

const NO_BODY: RequestBody = { declaredType: undefined, contentType: undefined, value: undefined };

/**
 * Reads and parses the body of a request by the media types of its operation. Binary bodies, JSON lines and multipart
 * bodies with files become streams, which the handler reads. A body that a middleware such as `express.json()` has parsed
 * is used unchanged.
 *
 * @param check checks a part of a stream when it has been read: the fields of a multipart body, or one of its JSON lines
 * @throws InvalidRequestError, or an Error if middleware has read the body and not passed it on
 */
export async function readBody(
  request: IncomingMessage,
  operation: HttpOperation,
  limits: BodyLimits,
  check: (declaredType: string, label: string, value: unknown) => void,
): Promise<RequestBody> {
  const accepted = operation.body;
  if (!accepted) return NO_BODY;
  const header = request.headers["content-type"];
  const middlewareBody = getMiddlewareBody(request);
  const chunkedBody =
    middlewareBody === undefined && needsReading(request, accepted.mediaTypes)
      ? await readBytes(request, limits.bodyLimit)
      : undefined;
  const isMissing =
    chunkedBody?.length === 0 || (!hasBody(request) && !isEmptyBody(request, accepted.mediaTypes));
  if (middlewareBody === undefined && isMissing) {
    if (!accepted.required) return NO_BODY;
    throw new InvalidRequestError(
      "missing_body",
      "body failed validation: body should be defined, instead was `undefined`.",
    );
  }
  const declaredType = selectMediaType(header, Object.keys(accepted.mediaTypes));
  const encoding = request.headers["content-encoding"]?.toLowerCase();
  // A middleware that has read the body has also decompressed it.
  if (middlewareBody === undefined && encoding !== undefined && encoding !== "identity")
    throw new InvalidRequestError(
      "unsupported_media_type",
      `Unsupported content encoding ${encoding}; send the body without encoding.`,
    );
  const contentType = isRange(declaredType) ? getEssence(header ?? "") : declaredType;
  const kind = accepted.mediaTypes[declaredType] ?? "binary";
  const fields = accepted.fields?.[declaredType] ?? [];
  if (middlewareBody !== undefined && !(middlewareBody instanceof Uint8Array))
    return { declaredType, contentType, value: middlewareBody };
  if (kind === "lines" || kind === "sequence") {
    checkCharset(header ?? "");
    const readChunk = middlewareBody
      ? createMemoryReader(middlewareBody)
      : createBodyReader(request, limits.uploadLimit);
    const value = parseLines(readChunk, {
      format: kind,
      limit: limits.bodyLimit,
      check: (label, line) => check(declaredType, label, line),
    });
    return { declaredType, contentType, value, streamed: true };
  }
  if (kind === "binary" || kind === "multipart") {
    const streamed = kind === "binary" || hasFiles(fields);
    const limit = streamed ? limits.uploadLimit : limits.bodyLimit;
    const readChunk = middlewareBody ? createMemoryReader(middlewareBody) : createBodyReader(request, limit);
    if (kind === "binary")
      return { declaredType, contentType, value: createStream(readChunk).stream, streamed };
    const body = new MultipartBody(readChunk, {
      contentType: header ?? "",
      fields,
      limit: limits.bodyLimit,
      // A body without files is checked by the caller, like any other that is in memory.
      validate: (values) => (streamed ? check(declaredType, "body", values) : undefined),
    });
    return { declaredType, contentType, value: streamed ? body : await body.readFields(), streamed };
  }
  if (header !== declaredType) checkCharset(header ?? "");
  const bytes = middlewareBody ?? chunkedBody ?? (await readBytes(request, limits.bodyLimit));
  if (bytes.length >= LARGE_REQUEST_BYTES) await waitForTurn();
  if (kind === "json") return { declaredType, contentType, value: parseJson(bytes) };
  const text = decodeUtf8(bytes);
  const value = kind === "form" ? decodeForm(fields, text) : text;
  checkStrings(value, "body");
  return { declaredType, contentType, value };
}

/** Kinds of bodies that are always streams. */
const STREAMED_KINDS: ReadonlySet<MediaKind> = new Set(["binary", "lines", "sequence"]);

/** Whether a multipart body can have files; without declared fields, any part can be a file. */
function hasFiles(fields: readonly { file?: boolean }[] = []): boolean {
  return fields.length === 0 || fields.some(({ file }) => file);
}

/** Returns the declared media type of a Content-Type. Throws if the operation does not accept it. */
function selectMediaType(header: string | undefined, declaredTypes: string[]): string {
  const mediaType = findMediaType(header, declaredTypes);
  if (mediaType !== undefined) return mediaType;
  const problem =
    header === undefined
      ? "The request has a body but no Content-Type"
      : `Unsupported content type ${shorten(header)}`;
  throw new InvalidRequestError("unsupported_media_type", `${problem}; send ${declaredTypes.join(" or ")}.`);
}

/** Whether a request with `Content-Length: 0` has an empty body instead of none: a text, form or stream with a Content-Type. */
function isEmptyBody({ headers }: IncomingMessage, mediaTypes: Readonly<Record<string, MediaKind>>): boolean {
  if (headers["content-length"] !== "0") return false;
  const declaredType = findMediaType(headers["content-type"], Object.keys(mediaTypes));
  const kind = declaredType === undefined ? undefined : mediaTypes[declaredType];
  return kind !== undefined && (kind === "text" || kind === "form" || STREAMED_KINDS.has(kind));
}

/**
 * Whether a body must be read to know if there is one: a chunked body has no length. Without content, a body of JSON or without
 * a Content-Type is none; any other is an empty body.
 */
function needsReading(
  { headers }: IncomingMessage,
  mediaTypes: Readonly<Record<string, MediaKind>>,
): boolean {
  if (headers["transfer-encoding"] === undefined) return false;
  const declaredType = findMediaType(headers["content-type"], Object.keys(mediaTypes));
  return declaredType === undefined
    ? headers["content-type"] === undefined
    : mediaTypes[declaredType] === "json";
}

function hasBody(request: IncomingMessage): boolean {
  return request.headers["transfer-encoding"] !== undefined || getContentLength(request) > 0;
}

/** Returns the body that a middleware has read; undefined if none has. Throws if it has not set `request.body`. */
function getMiddlewareBody(request: IncomingMessage): unknown {
  if (!request.readableEnded) return undefined;
  const body = "body" in request ? request.body : undefined;
  if (body === undefined && hasBody(request))
    throw new Error("Middleware has read the body without setting request.body.");
  return body;
}

/** Size from which a body is parsed and checked in its own turn of the event loop. A turn takes about a tenth of a millisecond. */
const LARGE_REQUEST_BYTES = 8 * 1024;

/** The last turn that was given to a large body. */
let lastTurn: Promise<void> = Promise.resolve();

/**
 * Waits for a turn of the event loop that no other large body has. Large bodies that arrive at the same time are parsed in
 * one turn each, so that other requests do not wait for all of them.
 */
function waitForTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}

/** Creates a reader of bytes in memory, which returns them as one chunk. */
function createMemoryReader(bytes: Uint8Array): ReadChunk {
  const chunks = [bytes];
  return async () => chunks.pop();
}

/** Reads a body into memory. Throws if it is larger than the limit, or if the client disconnects. */
function readBytes(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  // Reject before anything is read. Node discards the body after the response.
  if (getContentLength(request) > limit) return Promise.reject(createTooLargeError(limit));
  // The client disconnected, so no more events follow.
  if (request.destroyed) return Promise.reject(createAbortedError());
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else {
        chunks.length = 0;
        request.off("data", onData).resume();
        reject(createTooLargeError(limit));
      }
    };
    request.on("data", onData);
    request.once("end", () => {
      const [only] = chunks;
      resolve(chunks.length === 1 && only ? only : Buffer.concat(chunks));
    });
    request.once("error", () => reject(createAbortedError()));
    request.once("close", () => {
      if (!request.readableEnded) reject(createAbortedError());
    });
  });
}
