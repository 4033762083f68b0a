/**
 * A part of a body that is sent. A string has one character per byte: it takes one byte of memory per character, and sockets send it
 * with the encoding "latin1" without converting it.
 */
export type BodyPart = string | Uint8Array;

/**
 * Size from which a body is large. A large part of a body is a Buffer, because Node copies a sent string twice, and a Buffer not
 * at all.
 */
export const LARGE_BODY_BYTES = 64 * 1024;

/**
 * JSON that was encoded ahead of time, because it is sent several times. A handler returns it as its body, as a member of its
 * body, or as an item of a list in one of these places. JSON.stringify encodes it like the value itself.
 */
export class EncodedJson<T> {
  /** The JSON in UTF-8. */
  readonly bytes: string | Buffer;

  /** @param json a text, or its bytes in UTF-8 */
  constructor(json: string | Buffer) {
    const bytes = typeof json === "string" ? encodeText(json) : json;
    if (bytes.length >= LARGE_BODY_BYTES) this.bytes = toBuffer(bytes);
    else this.bytes = typeof bytes === "string" ? bytes : bytes.toString("latin1");
  }

  /** Returns the value for JSON.stringify. */
  toJSON(): T {
    return JSON.parse(toBuffer(this.bytes).toString());
  }
}

/** Returns the value that was encoded, or the value itself if it was not. */
export function decodeJson<T extends object>(value: T | EncodedJson<T>): T {
  return value instanceof EncodedJson ? value.toJSON() : value;
}

/** Joins items to a list. */
export function joinEncodedJson<T>(items: readonly EncodedJson<T>[]): EncodedJson<readonly T[]> {
  const parts = items.flatMap(({ bytes }) => [",", bytes]);
  return new EncodedJson(joinParts(["[", ...parts.slice(1), "]"]));
}

/** Copies parts into one Buffer. */
export function joinParts(parts: readonly BodyPart[]): Buffer {
  const buffer = Buffer.allocUnsafe(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    if (typeof part === "string") buffer.write(part, offset, "latin1");
    else buffer.set(part, offset);
    offset += part.length;
  }
  return buffer;
}

/** Encodes text in UTF-8, with one character per byte, see BodyPart. */
export function toByteString(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString("latin1");
}

/** Encodes text in UTF-8. A large text becomes a Buffer at once, because toByteString copies text beyond ASCII twice. */
export function encodeText(text: string): string | Buffer {
  return text.length < LARGE_BODY_BYTES ? toByteString(text) : Buffer.from(text);
}

function toBuffer(bytes: string | Buffer): Buffer {
  return typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes;
}
