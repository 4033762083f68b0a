import type { ClientNeeds } from "./client-needs.js";
import { callInterface, sendFunction } from "./client-send.js";

/** The part of client.ts that sends a call and gives what comes of it, as top-level statements with blank lines between. */
export function clientRuntime(needs: ClientNeeds): string {
  return `
/** How the text of a header becomes a value. */
type HeaderReaders = Record<string, (text: string, headers: Headers) => unknown>;

/** A request body as fetch takes it; its media type where it is not the declared one, null where fetch makes it. */
interface Written {
  body: unknown;
  contentType?: string | null;
}

type WriteBody = (body: unknown, mediaType: string) => Written;

/** Reads the body of a success; \`broken\` makes the error for one that is not of the declared kind. */
type ReadBody = (
  response: Response,
  options: CallOptions,
  broken: (body: unknown) => Error,
) => Promise<{ body: unknown; contentType?: string }>;

${callInterface(needs)}

/** Optional members, and groups of parameters that are all optional; a body is left out only where it may be. */
type OptionalKeys<T> = {
  [K in keyof T]-?: {} extends Pick<T, K> ? K : K extends "body" ? never : {} extends T[K] ? K : never;
}[keyof T];

/** A request as a caller writes it: parts without a required member can be left out. */
export type Input<Request> = Request extends unknown
  ? Omit<Request, OptionalKeys<Request>> & Partial<Pick<Request, OptionalKeys<Request>>>
  : never;

type SuccessStatus = 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207 | 208 | 226;

/** The responses of an operation that are a success, and the response itself as fetch gave it. */
export type Success<Reply> = Reply extends { status: infer Status }
  ? Status extends SuccessStatus
    ? Omit<Reply, "status"> & { status: Status; response: Response }
    : never
  : never;

/** Options of one call. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Headers besides those that the operation declares. */
  headers?: Record<string, string>;
}

/** What is known of a call that did not succeed. */
export interface Failure {
  operation: string;
  status: number;
  headers: Headers;
  /** The parsed JSON body, or its text when it is not JSON; undefined when it is empty. */
  body: unknown;
  response: Response;
}

/** Thrown for every status that is not a success, and for a success whose body is not of the declared kind. */
export class ApiError extends Error implements Failure {
  override name = "ApiError";
  declare readonly operation: string;
  declare readonly status: number;
  declare readonly headers: Headers;
  declare readonly body: unknown;
  declare readonly response: Response;

  constructor(failure: Failure, message?: string) {
    const { operation, status } = failure;
    const otherwise = status < 300 ? ", but not with JSON" : "";
    super(message ?? \`\${operation} was answered with status \${status}\${otherwise}.\`);
    Object.assign(this, failure);
  }
}

export interface ClientOptions extends FetchClientOptions {
  /** Makes the error to throw for a call that did not succeed; an ApiError when left out. */
  toError?: (failure: Failure) => Error;
  /** Sends a call, once or several times; once when left out. */
  around?: Around;
}

/** One try of a call: what it is sent with besides its own. The call's own headers win. */
export interface Attempt {
  signal?: AbortSignal | undefined;
  headers?: Record<string, string>;
  fetch?: FetchClientOptions["fetch"];
}

/** What came of a try, whatever its status; it fails when nothing came. The body is text, or not read yet. */
export interface Answer {
  data?: unknown;
  /** The body of what is not a success: its JSON, or its text. */
  error?: unknown;
  response: Response;
}

/** Sends a call by \`attempt\`, as often as it sees fit, and gives the answer that counts. */
export type Around = (
  call: Call,
  attempt: (more: Attempt) => Promise<Answer>,
  options: CallOptions,
) => Promise<Answer>;

/** Where calls are sent: the first argument of every operation. */
export interface Connection {
  /** openapi-fetch's typed client, for anything that no operation covers. */
  readonly http: FetchClient<paths>;
  readonly [settings]: { toError(failure: Failure): Error; around: Around };
}

const settings = /* @__PURE__ */ Symbol("settings");

/** The operations as methods. A client is a connection as well. */
export type Client = Operations & Connection;

/**
 * Makes a connection, for operations that are imported one by one.
 *
 * @param options openapi-fetch's own (baseUrl, headers, fetch, ...), \`toError\` and \`around\`
 */
export function connect(options: ClientOptions = {}): Connection {
  const {
    toError = (failure: Failure) => new ApiError(failure),
    around = ((_, attempt, { signal }) => attempt({ signal })) satisfies Around,
    ...fetchOptions
  } = options;
  return { http: createFetchClient<paths>(fetchOptions), [settings]: { toError, around } };
}

/** Any of the functions below. */
type OperationFunction = (connection: Connection, request: never, options?: CallOptions) => Promise<unknown>;

interface AnyInput {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  headers?: Record<string, unknown>;
  cookies?: Record<string, unknown>;
  contentType?: string | undefined;
  body?: unknown;
}

${sendFunction(needs)}

function writeBody({ write = {} }: Call, body: unknown, mediaType: string | undefined): Written {
  const writer = mediaType !== undefined && Object.hasOwn(write, mediaType) ? write[mediaType] : undefined;
  return writer ? writer(body, mediaType ?? "") : { body };
}

function parseJson(text: unknown, broken: (body: unknown) => Error): unknown {
  if (typeof text !== "string" || text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Something between client and server answered in its place: a proxy's page, say.
    throw broken(text);
  }
}

function isJson(mediaType: string | null): boolean {
  return /^(?:application\\/json|[^;]*\\+json)\\s*(?:;|$)/i.test(mediaType ?? "");
}
`;
}
