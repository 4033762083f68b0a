import { writeRaw } from "./body.js";
import type { BinaryInput } from "./bytes.js";
import { isSet, getOwnValue } from "./encode.js";
import { isJson } from "./json.js";
import type { WriteBody } from "./operation.js";

/** A multipart body with files: its fields, where `Files` names those that are files, or a FormData. */
export type MultipartInput<Fields, Files extends PropertyKey> =
  FormData | { [Name in keyof Fields]: Name extends Files ? FileField<Fields[Name]> : Fields[Name] };

type FileField<Value> = Value extends readonly unknown[]
  ? FileInput[]
  : Value extends null | undefined
    ? Value
    : FileInput;

/** A file to send; a File brings its own name and type. */
export type FileInput = BinaryInput | NamedFile;

/** A file with the headers of its part. */
export interface NamedFile {
  content: BinaryInput | string;
  filename?: string;
  contentType?: string;
  headers?: Record<string, string>;
}

type Piece = string | Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | ReadableStream<Uint8Array>;

/**
 * Creates the writer of a multipart body. Files are not copied into memory. A FormData is left to fetch.
 *
 * @param mediaType of the body, e.g. `multipart/form-data`
 * @param contentTypes declared content types of parts, by name
 */
export function multipart(mediaType: string, contentTypes: Record<string, string> = {}): WriteBody {
  return (body) => {
    if (body instanceof FormData) return writeRaw(body, null);
    const boundary = createBoundary();
    const pieces = Object.entries(Object(body))
      .filter(isSet)
      .flatMap(([name, value]) =>
        (Array.isArray(value) ? value : [value]).map((item: unknown) => [name, item] as const),
      )
      .flatMap(([name, item]) => [
        `--${boundary}\r\n`,
        ...writePart(name, item, getOwnValue(contentTypes, name)),
        "\r\n",
      ]);
    pieces.push(`--${boundary}--\r\n`);
    const contentType = `${mediaType}; boundary=${boundary}`;
    if (pieces.some((piece) => piece instanceof ReadableStream)) {
      return writeRaw(joinStreams(pieces), contentType);
    }
    // The cast: no piece is a stream.
    return writeRaw(new Blob(pieces as Exclude<Piece, ReadableStream>[]), contentType);
  };
}

function createBoundary(): string {
  const random = crypto.getRandomValues(new Uint8Array(18));
  return `form-${Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Writes a part: its headers and its content. */
function writePart(name: string, value: unknown, declaredType: string | undefined): Piece[] {
  if (!isFile(value)) return [writeField(name, value, declaredType)];
  const file: NamedFile = isBinary(value) ? { content: value } : value;
  const content = file.content as Piece; // The cast: `isFile` checked the content; only its buffer type is wider.
  const blob: { name?: unknown; type?: string } = content instanceof Blob ? content : {};
  const filename = file.filename ?? (typeof blob.name === "string" ? blob.name : "blob");
  const type =
    declaredType === undefined || declaredType.includes("*") ? "application/octet-stream" : declaredType;
  const lines = {
    "Content-Disposition": `form-data; name=${quote(name)}; filename=${quote(filename)}`,
    "Content-Type": file.contentType ?? (blob.type || type),
    ...file.headers,
  };
  // A Headers object throws for what is not a valid header.
  new Headers(file.headers).set("Content-Type", lines["Content-Type"]);
  const head = Object.entries(lines).map(([key, line]) => `${key}: ${line}`);
  return [`${head.join("\r\n")}\r\n\r\n`, content];
}

function writeField(name: string, value: unknown, declaredType: string | undefined): string {
  const json = (typeof value === "object" && value !== null) || isJson(declaredType ?? "");
  const contentType = declaredType ?? (json ? "application/json" : undefined);
  const typeLine = contentType === undefined ? "" : `\r\nContent-Type: ${contentType}`;
  const text = json ? JSON.stringify(value) : String(value);
  return `Content-Disposition: form-data; name=${quote(name)}${typeLine}\r\n\r\n${text}`;
}

/** Quotes a name as browsers do (HTML standard, multipart/form-data encoding algorithm). */
function quote(text: string): string {
  return `"${text.replace(/\r\n|[\r\n"]/g, (match) => (match === '"' ? "%22" : "%0D%0A"))}"`;
}

function isBinary(value: unknown): value is BinaryInput {
  return [Blob, Uint8Array, ArrayBuffer, ReadableStream].some((kind) => value instanceof kind);
}

function isFile(value: unknown): value is FileInput {
  if (isBinary(value)) return true;
  if (typeof value !== "object" || value === null || !("content" in value)) return false;
  return isBinary(value.content) || "filename" in value;
}

/** Concatenates the pieces. Each stream is read when its turn comes. */
function joinStreams(pieces: Piece[]): ReadableStream<Uint8Array> {
  const queue = pieces.values();
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (;;) {
        if (!reader) {
          const { value, done } = queue.next();
          if (done) return controller.close();
          const stream = value instanceof ReadableStream ? value : new Blob([value]).stream();
          // The cast: the type libraries declare different readers for the same stream of bytes.
          reader = stream.getReader() as ReadableStreamDefaultReader<Uint8Array>;
        }
        const { value, done } = await reader.read();
        if (!done) return controller.enqueue(value);
        reader = undefined;
      }
    },
    cancel: (reason) => reader?.cancel(reason),
  });
}
