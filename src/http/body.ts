import type { IncomingMessage } from "node:http";
import { RequestRefused } from "./errors.js";
import { decodeUtf8, parseJson } from "./json.js";
import { MultipartBody } from "./multipart.js";
import { aborted, type Pull, pullBody, streamOf, tooLarge } from "./source.js";
import type { HttpOperation, MediaKind } from "./types.js";
import { checkCharset, decodeForm } from "./values.js";
import type { Values } from "./wire.js";

export interface Body {
  /** Media type that the operation declares; undefined when the request has no body. */
  declared: string | undefined;
  /** The same, or for a range such as `image/*` the media type that was sent. */
  contentType: string | undefined;
  value: unknown;
  /** Whether the value is still to be read. */
  streamed?: boolean;
}

export interface BodyLimits {
  /** Most bytes of a body that is kept in memory. */
  bodyLimit: number;
  /** Most bytes of a body that is given as a stream. */
  uploadLimit: number;
}

const NO_BODY: Body = { declared: undefined, contentType: undefined, value: undefined };

/** Whether a handler of the operation can get a body that is still to be read. */
export function streamsBody({ body }: HttpOperation): boolean {
  return Object.entries(body?.mediaTypes ?? {}).some(
    ([name, kind]) => kind === "binary" || (kind === "multipart" && takesFiles(body?.fields?.[name])),
  );
}

function takesFiles(fields: readonly { file?: boolean }[] = []): boolean {
  return fields.length === 0 || fields.some(({ file }) => file);
}

/**
 * Reads and parses the body of a request by the media types of its operation. Bytes and multipart bodies with files are
 * given as streams, which is all that happens to them before the handler runs.
 *
 * A body that a middleware such as `express.json()` has parsed already is taken as it is.
 *
 * @param check checks the fields of a multipart body of a declared media type, when all of it has been read
 * @throws RequestRefused
 */
export async function readBody(
  request: IncomingMessage,
  operation: HttpOperation,
  limits: BodyLimits,
  check: (declared: string, fields: Values) => void,
): Promise<Body> {
  const accepted = operation.body;
  if (!accepted) return NO_BODY;
  const header = request.headers["content-type"];
  const parsed = parsedBody(request);
  if (parsed === undefined && !hasBody(request) && !isEmptyBody(request, accepted.mediaTypes)) {
    if (accepted.required) {
      throw new RequestRefused(
        "missing_body",
        "body failed validation: body should be defined, instead was `undefined`.",
      );
    }
    return NO_BODY;
  }
  const declared = matchMediaType(header, Object.keys(accepted.mediaTypes));
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    throw new RequestRefused(
      "unsupported_media_type",
      `Unsupported content encoding ${encoding}; send the body as it is.`,
    );
  }
  const contentType = declared.endsWith("/*") ? essence(header ?? "") : declared;
  const kind = accepted.mediaTypes[declared] ?? "binary";
  const fields = accepted.fields?.[declared] ?? [];
  if (parsed !== undefined && !(parsed instanceof Uint8Array))
    return { declared, contentType, value: parsed };
  if (kind === "binary" || kind === "multipart") {
    const streamed = kind === "binary" || takesFiles(fields);
    const limit = streamed ? limits.uploadLimit : limits.bodyLimit;
    const pull = parsed ? pullOnce(parsed) : pullBody(request, limit);
    if (kind === "binary") return { declared, contentType, value: streamOf(pull).stream, streamed };
    const body = new MultipartBody(pull, {
      contentType: header ?? "",
      fields,
      limit: limits.bodyLimit,
      // Without files it is checked like any other body, as soon as it has been read.
      check: (values) => (streamed ? check(declared, values) : undefined),
    });
    return { declared, contentType, value: streamed ? body : await body.fields(), streamed };
  }
  if (header !== declared) checkCharset(header ?? "");
  const bytes = parsed ?? (await readBytes(request, limits.bodyLimit));
  if (kind === "json") return { declared, contentType, value: parseJson(bytes) };
  const text = decodeUtf8(bytes);
  return { declared, contentType, value: kind === "form" ? decodeForm(fields, text) : text };
}

/** The declared media type that the header names; `type/*` and `*\/*` match anything of that type. */
function findMediaType(header: string | undefined, declared: string[]): string | undefined {
  const sent = essence(header ?? "");
  return (
    declared.find((name) => name === header) ??
    declared.find((name) => essence(name) === sent) ??
    declared.find((name) => {
      const [type, subtype] = essence(name).split("/");
      return subtype === "*" && sent !== "" && (type === "*" || type === sent.split("/")[0]);
    })
  );
}

function matchMediaType(header: string | undefined, declared: string[]): string {
  const found = findMediaType(header, declared);
  if (found !== undefined) return found;
  const what =
    header === undefined
      ? "The request has a body but no Content-Type"
      : `Unsupported content type ${header}`;
  throw new RequestRefused("unsupported_media_type", `${what}; send ${declared.join(" or ")}.`);
}

function essence(mediaType: string): string {
  return (mediaType.split(";")[0] ?? "").trim().toLowerCase();
}

/** Text, a form and bytes can be empty: with a Content-Type, a length of zero is that of such a body. */
function isEmptyBody({ headers }: IncomingMessage, mediaTypes: Readonly<Record<string, MediaKind>>): boolean {
  if (headers["content-length"] !== "0" || headers["content-type"] === undefined) return false;
  const declared = findMediaType(headers["content-type"], Object.keys(mediaTypes));
  const kind = declared === undefined ? undefined : mediaTypes[declared];
  return kind === "text" || kind === "form" || kind === "binary";
}

function hasBody(request: IncomingMessage): boolean {
  return (
    request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"] ?? 0) > 0
  );
}

function parsedBody(request: IncomingMessage): unknown {
  return request.readableEnded && "body" in request ? request.body : undefined;
}

function pullOnce(bytes: Uint8Array): Pull {
  let left: Uint8Array | undefined = bytes;
  return async () => {
    const now = left;
    left = undefined;
    return now;
  };
}

function readBytes(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  // Refused before a byte is kept; node drains what is still under way once the answer is out.
  if (Number(request.headers["content-length"] ?? 0) > limit) return Promise.reject(tooLarge(limit));
  // There will be no more events: the client left already, or somebody else has read the body.
  if (request.destroyed || request.readableEnded) return Promise.reject(aborted());
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else {
        chunks.length = 0;
        request.off("data", onData).resume();
        reject(tooLarge(limit));
      }
    };
    request.on("data", onData);
    request.once("end", () => {
      const [only] = chunks;
      resolve(chunks.length === 1 && only ? only : Buffer.concat(chunks));
    });
    request.once("error", () => reject(aborted()));
    request.once("close", () => {
      if (!request.readableEnded) reject(aborted());
    });
  });
}
