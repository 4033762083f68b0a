import createFetchClient, {
  type Client as FetchClient,
  type ClientOptions as FetchOptions,
} from "openapi-fetch";
import type { Bytes } from "./read-body.js";
import { ApiError, type Failure } from "./errors.js";
import type { CallOptions, Operation } from "./operation.js";

export interface ClientOptions extends FetchOptions {
  /** Creates the error that a failed call throws; an ApiError by default. */
  toError?: ((failure: Failure) => Error) | undefined;
  /** Wraps the sending of each call, for retries or logging. By default a call is sent once. */
  around?: Around | undefined;
}

/** Additions to one attempt of a call. The call's own headers take precedence. */
export interface AttemptOptions {
  signal?: AbortSignal | undefined;
  headers?: Record<string, string> | undefined;
  fetch?: FetchOptions["fetch"] | undefined;
}

/** The response to an attempt, whatever its status. An attempt without a response rejects. */
export interface AttemptResult {
  /** Body text of a success; undefined if the operation reads its body as a stream. */
  data?: unknown;
  /** Body of a response that is not a success: its JSON, or its text. */
  error?: unknown;
  response: Response;
}

/** Sends a call with `attempt`, any number of times, and returns the result to use. */
export type Around = (
  operation: Operation,
  attempt: (additions: AttemptOptions) => Promise<AttemptResult>,
  options: CallOptions,
) => Promise<AttemptResult>;

/** Key of the internals of a connection, so that they are not among its public members. */
export const internals = /* @__PURE__ */ Symbol("internals");

/** A server to call: the first argument of every operation. */
export interface Connection {
  readonly [internals]: {
    toError(failure: Failure): Error;
    around: Around;
    request: SendRequest;
    /** The base URL of the options that it was created with. */
    baseUrl: string | undefined;
  };
}

/** `request` of openapi-fetch without its types per path. */
type SendRequest = (method: string, path: string, init: Record<string, unknown>) => Promise<AttemptResult>;

/** A connection with openapi-fetch's typed client, for requests that no operation covers. */
export interface HttpConnection<Paths extends object> extends Connection {
  readonly http: FetchClient<Paths>;
}

/**
 * Creates a connection for standalone operations.
 *
 * @param options the options of openapi-fetch (baseUrl, headers, fetch, ...), `toError` and `around`
 * @param defaultBaseUrl the base URL if the options have none
 */
export function connect<Paths extends object>(
  options: ClientOptions = {},
  defaultBaseUrl?: string,
): HttpConnection<Paths> {
  const {
    toError = (failure: Failure) => new ApiError(failure),
    around = ((_, attempt, { signal }) => attempt({ signal })) satisfies Around,
    baseUrl,
    ...fetchOptions
  } = options;
  const http = createFetchClient<Paths>({ ...fetchOptions, baseUrl: baseUrl ?? defaultBaseUrl });
  // Safe cast: operations are data here, so the types that openapi-fetch computes per path do not apply.
  return { http, [internals]: { toError, around, request: http.request as SendRequest, baseUrl } };
}

/** Sends calls to another server, unless the options of the connection have a base URL. */
export function withServer(connection: Connection, baseUrl: string): Connection {
  const own = connection[internals];
  if (own.baseUrl !== undefined) return connection;
  const request: SendRequest = (method, path, init) => own.request(method, path, { ...init, baseUrl });
  return { [internals]: { ...own, request } };
}

/** Operations as methods: the functions of a generated module without their first argument. */
export type BoundOperations<Operations> = {
  [Name in keyof Operations]: BoundOperation<Operations[Name]>;
};

type BoundOperation<Call> = Call extends (
  connection: Connection,
  ...rest: infer Rest extends unknown[]
) => infer Result
  ? "as" extends keyof NonNullable<Rest[1]>
    ? BytesOperation<Rest, Result>
    : (...rest: Rest) => Result
  : never;

/** An operation whose option `as` selects the form of the bytes. Written out, because `infer` loses its type parameter. */
type BytesOperation<Rest extends unknown[], Result> = undefined extends Rest[0]
  ? <As extends keyof Bytes = "bytes">(request?: Rest[0], options?: BytesOptions<As>) => WithBytes<Result, As>
  : <As extends keyof Bytes = "bytes">(request: Rest[0], options?: BytesOptions<As>) => WithBytes<Result, As>;

type BytesOptions<As> = CallOptions & { as?: As };

type WithBytes<Result, As extends keyof Bytes> =
  Result extends Promise<infer Resolved> ? Promise<ReplaceBody<Resolved, As>> : never;

type ReplaceBody<Result, As extends keyof Bytes> = Result extends { body: Bytes[keyof Bytes] }
  ? { [Member in keyof Result]: Member extends "body" ? Bytes[As] : Result[Member] }
  : Result;

/** Any function of a generated module of operations. */
type OperationFunction = (connection: Connection, ...rest: never[]) => Promise<unknown>;

/**
 * Creates the methods of a client.
 *
 * @param operations a generated module of operations
 */
export function bindOperations<Bound extends Connection, Operations extends object>(
  connection: Bound,
  operations: Operations,
): Bound & BoundOperations<Operations> {
  // Safe cast: a generated module of operations exports nothing but their functions.
  const methods = Object.entries(operations as Record<string, OperationFunction>).map(([name, call]) => [
    name,
    (...rest: never[]) => call(connection, ...rest),
  ]);
  // Safe cast: there is a method for every operation.
  return { ...(Object.fromEntries(methods) as BoundOperations<Operations>), ...connection };
}
