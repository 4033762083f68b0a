/**
 * Types of bodies that are neither JSON nor text, for routes.ts. Each is written where an operation uses it: `used` is
 * looked for in the types of the requests and responses.
 */
export const BODY_TYPES: readonly { used: RegExp; declaration: string }[] = [
  {
    used: /\bMultipart</,
    declaration: `
/**
 * A multipart body with files, as it comes in. Its parts are read one after the other, once, as fast as the handler
 * takes them; what it does not read is dropped. \`Files\` names the parts that are files. That the parts together fit the
 * schema is known after the last one: reading it throws otherwise.
 */
export interface Multipart<Body, Files extends PropertyKey> extends AsyncIterable<Part<Body, Files>> {
  /**
   * Reads everything that is left into memory and checks it; for small uploads.
   *
   * @param limit most bytes of the whole, one megabyte when left out; more than that throws
   */
  collect(limit?: number): Promise<Collected<Body, Files>>;
}

/** A part of a multipart body, told by its name. */
export type Part<Body, Files extends PropertyKey> = Body extends unknown
  ? string extends keyof Body
    ? FilePart<string> | FieldPart<string, unknown>
    : {
        [Name in keyof Body & string]-?: Name extends Files
          ? FilePart<Name>
          : FieldPart<Name, ItemOf<NonNullable<Body[Name]>>>;
      }[keyof Body & string]
  : never;

/** A part that is a file; the next part comes when its stream has been read or left. */
export interface FilePart<Name> {
  name: Name;
  /** As the client gave it: never to be used as a path. */
  filename: string | undefined;
  contentType: string;
  /** All headers of the part, names in lower case. */
  headers: Record<string, string>;
  stream: Readable;
  value?: undefined;
}

/** A part that is no file, decoded. Each item of an array is a part of its own. */
export interface FieldPart<Name, Value> {
  name: Name;
  headers: Record<string, string>;
  value: Value;
  stream?: undefined;
}

/** The body as the schema says, with files in memory. */
export type Collected<Body, Files extends PropertyKey> = {
  [Name in keyof Body]: Name extends Files ? Collect<Body[Name]> : Body[Name];
};
type Collect<Value> = Value extends readonly unknown[] ? File[] : Value extends null | undefined ? Value : File;
`,
  },
  {
    used: /\b(?:Multipart|ItemOf)</,
    declaration: `
/** One item of an array; anything else is its own item. */
export type ItemOf<Value> = Value extends readonly (infer Item)[] ? Item : Value;
`,
  },
  {
    used: /\bBinaryBody\b/,
    declaration: `
/** Bytes of an answer. A stream is read as fast as the client takes it, and closed when the client leaves. */
export type BinaryBody = Uint8Array | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;
`,
  },
  {
    used: /\bServerSentEvent</,
    declaration: `
/**
 * An event of an event stream. When the client leaves, a generator of events is ended at its \`yield\`: one that waits for
 * something else learns of it only afterwards. To learn at once it takes an AbortSignal as its context, or in it, which
 * \`begin\` of createBinder aborts when \`exchange.response\` emits \`close\`.
 */
export interface ServerSentEvent<Data> {
  data: Data;
  /** Kind of the event; \`message\` when left out. */
  event?: string;
  id?: string;
  /** Milliseconds that the client should wait before it connects again. */
  retry?: number;
}
`,
  },
];
