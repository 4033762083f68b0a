/** The part of client.ts that is the same for every document. */
export const CLIENT_RUNTIME = `
/** How the value of a header is read. */
type HeaderTypes = Record<string, "string" | "number" | "boolean" | "strings" | "numbers" | "json">;

/** What the client needs to know of an operation. */
interface Call {
  method: "get" | "put" | "post" | "delete" | "options" | "head" | "patch" | "trace";
  path: string;
  /** How parameters are written that are not plain text, by place and name. */
  styles?: { [Place in "path" | "query" | "headers" | "cookies"]?: Record<string, string> };
  /** Media type of the request body where it is not JSON. */
  contentType?: string;
  /** How the body of a success is read where it is not JSON; \`byType\` where its Content-Type tells. */
  read?: "text" | "arrayBuffer" | "byType";
  /** Types of the declared response headers by status. */
  headers: Record<string, HeaderTypes>;
}

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
  /** The parsed JSON body, or its text when it is not JSON. */
  body: unknown;
  response: Response;
}

/** Thrown for every status that is not a success, and for a success whose body is not of the declared kind. */
export class ApiError extends Error implements Failure {
  override name = "ApiError";
  readonly operation: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly response: Response;

  constructor(failure: Failure, message = \`\${failure.operation} was answered with status \${failure.status}\`) {
    super(message);
    this.operation = failure.operation;
    this.status = failure.status;
    this.headers = failure.headers;
    this.body = failure.body;
    this.response = failure.response;
  }
}

export interface ClientOptions extends FetchClientOptions {
  /** Makes the error to throw for a call that did not succeed; an ApiError when left out. */
  toError?: (failure: Failure) => Error;
}

/** The operations as methods, and openapi-fetch's typed client under \`http\`. */
export type Client = Operations & { http: FetchClient<paths> };

/**
 * Makes a client.
 *
 * @param options openapi-fetch's own (baseUrl, headers, fetch, ...) and \`toError\`
 */
export function createClient(options: ClientOptions = {}): Client {
  const { toError = (failure: Failure) => new ApiError(failure), ...fetchOptions } = options;
  const http = createFetchClient<paths>(fetchOptions);
  const send = createSender(http, toError);
  const methods = Object.entries<Call>(calls).map(([name, call]) => [
    name,
    (request?: AnyInput, callOptions?: CallOptions) => send(name, call, request ?? {}, callOptions ?? {}),
  ]);
  // The cast: \`calls\` has an entry for every method, and its request and response types come from the same document.
  return { ...(Object.fromEntries(methods) as Operations), http };
}

interface AnyInput {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  headers?: Record<string, unknown>;
  cookies?: Record<string, unknown>;
  contentType?: string;
  body?: unknown;
}

interface AnyResult {
  data?: unknown;
  error?: unknown;
  response: Response;
}

function createSender(http: FetchClient<paths>, toError: (failure: Failure) => Error) {
  // The cast: here an operation is data, so the types that openapi-fetch computes per path are of no use.
  const request = http.request as unknown as (
    method: string,
    path: string,
    init: Record<string, unknown>,
  ) => Promise<AnyResult>;
  return async (operation: string, call: Call, input: AnyInput, options: CallOptions): Promise<unknown> => {
    const contentType = input.contentType ?? call.contentType;
    const styles = call.styles ?? {};
    const { data, error, response } = await request(call.method, call.path, {
      params: { path: input.path, query: input.query },
      headers: {
        ...(contentType ? { "Content-Type": contentType } : {}),
        ...writeHeaders(input.headers ?? {}, styles.headers ?? {}),
        ...writeCookies(input.cookies ?? {}, styles.cookies ?? {}),
        ...options.headers,
      },
      pathSerializer: (path: string, values: Values) => writePath(path, values, styles.path ?? {}),
      querySerializer: (query: Values) => writeQuery(query, styles.query ?? {}),
      ...(input.body === undefined ? {} : { body: input.body }),
      ...(contentType && !isJson(contentType) ? { bodySerializer: (body: unknown) => body } : {}),
      parseAs: call.read === "byType" ? "arrayBuffer" : (call.read ?? "text"),
      ...(options.signal ? { signal: options.signal } : {}),
    });
    if (!response.ok) {
      throw toError({ operation, status: response.status, headers: response.headers, body: error, response });
    }
    const body = readBody(data, call.read, response);
    if (body === NOT_JSON) {
      throw toError({ operation, status: response.status, headers: response.headers, body: data, response });
    }
    const types = call.headers[response.status] ?? call.headers["2XX"] ?? call.headers["default"] ?? {};
    return { status: response.status, headers: readHeaders(response.headers, types), body, response };
  };
}

/** What something between client and server answered in its place, a proxy's page say. */
const NOT_JSON = Symbol("not JSON");

function parseJson(text: unknown): unknown {
  if (typeof text !== "string" || text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return NOT_JSON;
  }
}

/** The body of a success as its type says; openapi-fetch gives nothing for an empty one. */
function readBody(data: unknown, read: Call["read"], response: Response): unknown {
  if (read === undefined) return parseJson(data);
  if (response.status === 204 || response.status === 205) return undefined;
  if (read === "text") return data ?? "";
  const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : new Uint8Array();
  if (read === "arrayBuffer") return bytes;
  const type = response.headers.get("Content-Type") ?? "";
  if (isJson(type)) return parseJson(new TextDecoder().decode(bytes));
  return /^(?:text\\/|application\\/x-www-form-urlencoded)/i.test(type) ? new TextDecoder().decode(bytes) : bytes;
}

function isJson(mediaType: string): boolean {
  return /^(?:application\\/json|[^;]*\\+json)\\s*(?:;|$)/i.test(mediaType);
}
`;
