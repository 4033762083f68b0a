import type { Readable } from "node:stream";
import type { ItemOf, ReplaceFiles } from "../message-types.js";

/**
 * A multipart body with files. It can be read once, part by part, with backpressure. Unread parts are discarded. After
 * the last part, iteration throws if the parts violate the schema. `Files` are the names of the parts that are files; it
 * contains `symbol` if undeclared parts are files, too. `Texts` are those among them that can be text instead.
 */
export interface Multipart<
  Body,
  Files extends PropertyKey,
  Texts extends PropertyKey = never,
> extends AsyncIterable<Part<Body, Files, Texts>> {
  /**
   * Reads all remaining parts into memory and validates them; for small uploads.
   *
   * @param limit maximum size in bytes of all parts, `bodyLimit` by default; a larger body throws
   */
  collect(limit?: number): Promise<ReplaceFiles<Body, Files, File, Texts>>;
}

/** A part of a multipart body, discriminated by its name. */
export type Part<Body, Files extends PropertyKey, Texts extends PropertyKey = never> = Body extends unknown
  ? string extends keyof Body
    ? FilePart<string> | FieldPart<string, unknown>
    : {
        [Name in keyof Body & string]-?:
          | (Name extends Files ? FilePart<Name> : never)
          | (Name extends Exclude<Files, Texts> ? never : FieldPart<Name, ItemOf<NonNullable<Body[Name]>>>);
      }[keyof Body & string]
  : never;

/** A part that is a file. Requesting the next part closes the stream. */
export interface FilePart<Name> {
  name: Name;
  /** The name that the client sent. Never use it as a path. */
  filename: string | undefined;
  contentType: string;
  /** All headers of the part, with names in lower case. */
  headers: Record<string, string>;
  stream: Readable;
  value?: undefined;
}

/** A decoded part that is not a file. Each item of an array is a separate part. */
export interface FieldPart<Name, Value> {
  name: Name;
  headers: Record<string, string>;
  value: Value;
  stream?: undefined;
}
