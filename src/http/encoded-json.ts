/**
 * JSON that was encoded ahead of time, because it is sent several times. A handler returns it as its body, as a member of its
 * body, or as an item of a list in one of these places. JSON.stringify encodes it like the value itself.
 */
export class EncodedJson<T> {
  /** The JSON in UTF-8, see toByteString. */
  readonly bytes: string;

  /** @param json a text, or its bytes in UTF-8 */
  constructor(json: string | Buffer) {
    this.bytes = typeof json === "string" ? toByteString(json) : json.toString("latin1");
  }

  toJSON(): T {
    return JSON.parse(Buffer.from(this.bytes, "latin1").toString());
  }
}

/** Returns the value that was encoded, or the value itself if it was not. */
export function decodeJson<T extends object>(value: T | EncodedJson<T>): T {
  return value instanceof EncodedJson ? value.toJSON() : value;
}

/**
 * Encodes text in UTF-8, with one character per byte. Such a string takes one byte of memory per character, and sockets send it
 * with the encoding "latin1" without converting it.
 */
export function toByteString(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString("latin1");
}
