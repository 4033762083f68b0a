import { isSet, getOwnValue } from "./encode.js";
import { isJson } from "../http/media-types.js";
import type { ReplaceFiles } from "../http/message-types.js";
import type { WriteBody } from "./operation.js";
import { type BinaryInput, isBinary, writeRaw } from "./write-body.js";

/**
 * Input of a multipart body: a FormData, or an object in which the fields named by `Files` are files, or text if `Texts` names
 * them, too. Conditional, so that editors show the object instead of this name.
 */
export type MultipartInput<
  Fields,
  Files extends PropertyKey,
  Texts extends PropertyKey = never,
> = Fields extends unknown ? FormData | ReplaceFiles<Fields, Files, FileInput, Texts> : never;

/** A file to send. The name and the type of a File are used. */
export type FileInput = BinaryInput | NamedFile;

/** A file with the headers of its part. Text needs a `filename`, which distinguishes the file from a JSON field. */
export type NamedFile = (
  { content: BinaryInput; filename?: string } | { content: string; filename: string }
) & { contentType?: string; headers?: Record<string, string> };

type BodyPiece = string | Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | ReadableStream<Uint8Array>;

/**
 * Creates the writer of a multipart body. Files are not copied into memory. `fetch` itself encodes a FormData.
 *
 * @param mediaType media type of the body, such as `multipart/form-data`
 * @param contentTypes declared content types of the parts, by name
 */
export function writeMultipart(mediaType: string, contentTypes: Record<string, string> = {}): WriteBody {
  return (body) => {
    // No content type, because `fetch` sets it with the boundary that it chooses.
    if (body instanceof FormData) return writeRaw(body, null);
    const boundary = `form-${crypto.getRandomValues(new Uint32Array(4)).join("-")}`;
    // Object() accepts null and undefined.
    const pieces = Object.entries(Object(body))
      .filter(isSet)
      .flatMap(([name, value]) => [value].flat().map((item): [string, unknown] => [name, item]))
      // A null in a list is skipped, as in a query. JSON has a text for it.
      .filter((part) => isSet(part) || isJson(getOwnValue(contentTypes, part[0]) ?? ""))
      .flatMap(([name, item]) => [
        `--${boundary}\r\n`,
        ...writePart(name, item, getOwnValue(contentTypes, name)),
        "\r\n",
      ]);
    pieces.push(`--${boundary}--\r\n`);
    const contentType = `${mediaType}; boundary=${boundary}`;
    if (pieces.some((piece) => piece instanceof ReadableStream))
      return writeRaw(joinStreams(pieces), contentType);
    // Safe cast: no piece is a stream.
    return writeRaw(new Blob(pieces as Exclude<BodyPiece, ReadableStream>[]), contentType);
  };
}

function writePart(name: string, value: unknown, declared: string | undefined): BodyPiece[] {
  // A range such as image/* is not a content type.
  const declaredType = declared?.includes("*") ? undefined : declared;
  if (!isFile(value)) return [writeField(name, value, declaredType)];
  const file: NamedFile = isBinary(value) ? { content: value } : value;
  // Safe cast: a Blob takes bytes of every buffer type. With a `filename`, other content is sent as text.
  const content = file.content as BodyPiece;
  const blob: { name?: unknown; type?: string } = content instanceof Blob ? content : {};
  const filename = file.filename ?? (typeof blob.name === "string" ? blob.name : "blob");
  const contentType = file.contentType ?? (blob.type || (declaredType ?? "application/octet-stream"));
  // A Headers object throws if a header is invalid, which could otherwise inject other headers. It ignores line breaks around
  // a value, so these are trimmed.
  const customHeaders = new Headers(file.headers);
  new Headers().set("Content-Type", contentType);
  const defaultHeaders = Object.entries({
    "Content-Disposition": `form-data; name=${quote(name)}; filename=${quote(filename)}`,
    "Content-Type": contentType,
  }).filter(([header]) => !customHeaders.has(header));
  const lines = [...defaultHeaders, ...Object.entries(file.headers ?? {})].map(
    ([header, text]) => `${header}: ${text.trim()}\r\n`,
  );
  return [`${lines.join("")}\r\n`, content];
}

function writeField(name: string, value: unknown, declaredType: string | undefined): string {
  const isJsonField = typeof value === "object" || isJson(declaredType ?? "");
  const contentType = declaredType ?? (isJsonField ? "application/json" : undefined);
  const typeLine = contentType === undefined ? "" : `\r\nContent-Type: ${contentType}`;
  const text = isJsonField ? JSON.stringify(value) : String(value);
  return `Content-Disposition: form-data; name=${quote(name)}${typeLine}\r\n\r\n${text}`;
}

/** Quotes a name as browsers do (HTML standard, multipart/form-data encoding algorithm). */
function quote(text: string): string {
  return `"${text.replace(/\r\n|[\r\n"]/g, (match) => (match === '"' ? "%22" : "%0D%0A"))}"`;
}

/** Whether a value is a file. An object with `content` and `filename` is taken for a file, too. */
function isFile(value: unknown): value is FileInput {
  if (isBinary(value)) return true;
  if (typeof value !== "object" || value === null || !("content" in value)) return false;
  return isBinary(value.content) || "filename" in value;
}

/** Concatenates the pieces. Each stream is read when its turn comes, or cancelled if its turn cannot come anymore. */
function joinStreams(pieces: BodyPiece[]): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const streams = pieces.map((piece) =>
    piece instanceof ReadableStream ? piece : new Blob([piece]).stream(),
  );
  const copyStreams = async (): Promise<void> => {
    for (const stream of streams) await stream.pipeTo(writable, { preventClose: true });
    await writable.close();
  };
  // The error of a stream reaches the reader of the whole.
  copyStreams().catch((reason: unknown) =>
    Promise.allSettled(streams.map((stream) => stream.cancel(reason))),
  );
  return readable;
}
