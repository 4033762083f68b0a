/** The part of client.ts that is the same for every document. */
export const CLIENT_RUNTIME = `
/** How the value of a header is read; an object by the types of its properties. */
type HeaderType =
  | "string" | "number" | "boolean" | "numberOrBoolean" | "strings" | "numbers" | "booleans" | "json"
  | { explode: boolean; properties: Record<string, string> };
type HeaderTypes = Record<string, HeaderType>;

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

/** What the client needs to know of an operation. */
interface Call {
  method: "get" | "put" | "post" | "delete" | "options" | "head" | "patch" | "trace";
  path: string;
  /** How parameters are written that are not plain text, by place and name. */
  styles?: { [Place in "path" | "query" | "headers" | "cookies"]?: Record<string, string> };
  /** Media type of the request body where it is not JSON. */
  contentType?: string;
  /** How bodies are written that are neither JSON nor sent as they are, by media type. */
  write?: Record<string, WriteBody>;
  /** How the body of a success is read where it is not JSON. */
  read?: ReadBody;
  /** Media type to ask for, where the server might not think of it. */
  accept?: string;
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
  /** The parsed JSON body, or its text when it is not JSON; undefined when it is empty. */
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
    const declared = input.contentType ?? call.contentType;
    const { body, contentType = declared } =
      input.body === undefined ? { body: undefined } : writeBody(call, input.body, declared);
    const styles = call.styles ?? {};
    const { data, error, response } = await request(call.method, call.path, {
      params: { path: input.path ?? {}, query: input.query },
      headers: {
        ...(call.accept ? { Accept: call.accept } : {}),
        ...(body === undefined || contentType === undefined ? {} : { "Content-Type": contentType }),
        ...writeHeaders(input.headers ?? {}, styles.headers ?? {}),
        ...writeCookies(input.cookies ?? {}, styles.cookies ?? {}),
        ...options.headers,
      },
      pathSerializer: (path: string, values: Values) => writePath(path, values, styles.path ?? {}),
      querySerializer: (query: Values) => writeQuery(query, styles.query ?? {}),
      ...(body === undefined ? {} : { body }),
      ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
      ...(contentType === undefined || isJson(contentType) ? {} : { bodySerializer: (written: unknown) => written }),
      parseAs: call.read === undefined ? "text" : "stream",
      ...(options.signal ? { signal: options.signal } : {}),
    });
    const { status, headers } = response;
    const failed = (found: unknown) => toError({ operation, status, headers, body: found, response });
    if (!response.ok) throw failed(error === "" ? undefined : error);
    const types = call.headers[status] ?? call.headers["2XX"] ?? call.headers["default"] ?? {};
    const result = { status, headers: readHeaders(headers, types), response };
    if (call.read === undefined) return { ...result, body: parseJson(data, failed) };
    const empty = status === 204 || status === 205 || call.method === "head";
    return { ...result, ...(empty ? { body: undefined } : await call.read(response, options, failed)) };
  };
}

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
