// Types of statuses, headers and bodies in generated requests and responses. This file imports nothing, so that generated clients
// can use it without the types of Node.

/**
 * A response without the headers of these names. `headers` is optional if no header that remains is required. Without names it is the
 * response itself, whose name compilers then show in errors.
 */
export type OmitHeaders<Response, Names extends string> = [Names] extends [never]
  ? Response
  : Response extends { headers: infer Headers }
    ? Omit<Response, "headers"> &
        ({} extends Omit<Headers, Names>
          ? { headers?: Omit<Headers, Names> }
          : { headers: Omit<Headers, Names> })
    : Response;

/** Statuses that `3XX` and `default` include: all that Node knows, except 304, which has no content. */
export type RedirectStatus = 300 | 301 | 302 | 303 | 305 | 307 | 308;

/** Statuses that `4XX` and `default` include: all that Node knows. */
// prettier-ignore
export type ClientErrorStatus =
  | 400 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418 | 421 | 422
  | 423 | 424 | 425 | 426 | 428 | 429 | 431 | 451;

/** Statuses that `5XX` and `default` include: all that Node knows. */
export type ServerErrorStatus = 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 509 | 510 | 511;

/** One item of an array; any other type is its own item. */
export type ItemOf<Value> = Value extends readonly (infer Item)[] ? Item : Value;

/** Bytes of a response. A stream is read as fast as the client reads, and closed when the client disconnects. */
export type BinaryContent = Uint8Array | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * An event of an event stream. When the client disconnects, a generator of events ends at its next `yield`. To end a generator
 * that is waiting for something else, abort an AbortSignal in the context when the response emits `close`: see `begin` of
 * createBinder.
 */
export interface ServerSentEvent<Data> {
  data: Data;
  /** Kind of the event; `message` by default. */
  event?: string;
  id?: string;
  /** Milliseconds that the client should wait before it reconnects. */
  retry?: number;
}

/**
 * A body with another type in place of its files, whose names are `Files`. With `symbol` in `Files`, undeclared parts can be
 * files, too. The files named in `Texts` can be text instead. Conditional, so that editors show the object instead of this name.
 */
export type ReplaceFiles<
  Body,
  Files extends PropertyKey,
  File,
  Texts extends PropertyKey = never,
> = Body extends unknown
  ? {
      [Name in keyof Body]: Name extends Files
        ? ReplaceFile<Body[Name], File | (Name extends Texts ? ItemOf<NonNullable<Body[Name]>> : never)>
        : string extends Name
          ? Body[Name] | (symbol extends Files ? File | File[] : never)
          : Body[Name];
    }
  : never;

type ReplaceFile<Value, File> = Value extends readonly unknown[]
  ? File[]
  : Value extends null | undefined
    ? Value
    : File;
