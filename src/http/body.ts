import type { IncomingMessage } from "node:http";
import { RequestRefused } from "./errors.js";
import { decodeUtf8, parseJson } from "./json.js";
import type { HttpOperation, MediaKind } from "./types.js";

export interface Body {
  /** Media type as the operation declares it; undefined when the request has no body. */
  contentType: string | undefined;
  value: unknown;
}

/**
 * Reads and parses the body of a request by the media types of its operation.
 *
 * A body that a middleware such as `express.json()` has parsed already is taken as it is.
 *
 * @param limit most bytes that are accepted
 * @throws RequestRefused
 */
export async function readBody(
  request: IncomingMessage,
  operation: HttpOperation,
  limit: number,
): Promise<Body> {
  const declared = operation.body;
  if (!declared) return { contentType: undefined, value: undefined };
  const header = request.headers["content-type"];
  const parsed = parsedBody(request);
  if (parsed === undefined && !hasBody(request)) {
    if (declared.required) {
      throw new RequestRefused(
        "missing_body",
        "body failed validation: body should be defined, instead was `undefined`.",
      );
    }
    return { contentType: undefined, value: undefined };
  }
  const contentType = matchMediaType(header, Object.keys(declared.mediaTypes));
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    throw new RequestRefused(
      "unsupported_media_type",
      `Unsupported content encoding ${encoding}; send the body as it is.`,
    );
  }
  const kind = declared.mediaTypes[contentType] ?? "binary";
  if (parsed !== undefined) return { contentType, value: parsed };
  const bytes = await readBytes(request, limit);
  return { contentType, value: parse(bytes, kind) };
}

function parse(bytes: Uint8Array, kind: MediaKind): unknown {
  if (kind === "json") return parseJson(bytes);
  return kind === "text" || kind === "form" ? decodeUtf8(bytes) : bytes;
}

/** The declared media type that the header names; `type/*` and `*\/*` match anything of that type. */
function matchMediaType(header: string | undefined, declared: string[]): string {
  const sent = essence(header ?? "");
  const exact = declared.find((name) => essence(name) === sent);
  const found =
    exact ??
    declared.find((name) => {
      const [type, subtype] = essence(name).split("/");
      return subtype === "*" && sent !== "" && (type === "*" || type === sent.split("/")[0]);
    });
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

function hasBody(request: IncomingMessage): boolean {
  return (
    request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"] ?? 0) > 0
  );
}

function parsedBody(request: IncomingMessage): unknown {
  return request.readableEnded && "body" in request ? request.body : undefined;
}

function readBytes(request: IncomingMessage, limit: number): Promise<Uint8Array> {
  const tooLarge = (): RequestRefused =>
    new RequestRefused("payload_too_large", `body failed validation: body.length should be ≤ \`${limit}\`.`);
  // Refused before a byte is kept; node drains what is still under way once the answer is out.
  if (Number(request.headers["content-length"] ?? 0) > limit) return Promise.reject(tooLarge());
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
        reject(tooLarge());
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

function aborted(): RequestRefused {
  return new RequestRefused("aborted", "The request ended before its body did.");
}
