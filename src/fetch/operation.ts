import type { CookieWriter } from "./cookies.js";
import type { CreateError } from "./errors.js";
import type { HeaderWriter } from "./headers.js";
import type { PathWriter } from "./path.js";
import type { QueryWriter } from "./query.js";
import type { HeaderReaders } from "./response-headers.js";

/** The description of an operation in generated code, for sending a request and reading its response. */
export interface Operation {
  name: string;
  /** Path template. */
  path: string;
  method: "get" | "put" | "post" | "delete" | "options" | "head" | "patch" | "trace";
  /** Whether a retry is safe: true, or the name of the header whose idempotency key makes it safe. */
  idempotent?: true | string;
  /** Writers of parameters that are not plain text. */
  pathWriters?: Record<string, PathWriter>;
  queryWriters?: Record<string, QueryWriter>;
  headerWriters?: Record<string, HeaderWriter>;
  cookies?: CookieWriter;
  /** Encodes the request body; as JSON by default. */
  write?: WriteBody;
  /** Reads the body of a success; JSON by default. */
  read?: ReadBody;
  /** Value of the Accept header. */
  accept?: string;
  /** Readers of the declared headers of successes, by status; `2XX` for all others. */
  headers?: Record<string, HeaderReaders>;
}

/** The parts of a request by their location. */
export interface OperationInput {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  headers?: Record<string, unknown>;
  cookies?: Record<string, unknown>;
  contentType?: string | undefined;
  body?: unknown;
}

/** Options of one call. An undefined option counts as absent, so that callers can pass on their own optional values. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Headers in addition to those that the operation declares. */
  headers?: Record<string, string> | undefined;
}

/** An encoded request body, with the options of openapi-fetch that it needs. */
export interface WrittenBody {
  body: unknown;
  /** The Content-Type; null where fetch determines it. */
  headers?: Record<string, string | null>;
  /** Keeps openapi-fetch from encoding the body as JSON. */
  bodySerializer?: (body: unknown) => unknown;
  /** Required by fetch for streams. */
  duplex?: "half";
}

/** Encodes a request body. `contentType` is the caller's choice if there are several media types. */
export type WriteBody = (body: unknown, contentType: string | undefined) => WrittenBody;

/** Reads the body of a success. */
export type ReadBody = (
  response: Response,
  options: CallOptions,
  createError: CreateError,
) => Promise<{ body: unknown; contentType?: string }>;
