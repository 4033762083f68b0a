/** The part of client.ts that is the same for every document. */
export const CLIENT_RUNTIME = `
/** How the value of a header is read. */
type HeaderTypes = Record<string, "string" | "number" | "boolean" | "strings" | "numbers" | "json">;

/** What the client needs to know of an operation. */
interface Call {
  method: "get" | "put" | "post" | "delete" | "options" | "head" | "patch" | "trace";
  path: string;
  /** Query parameters that are lists or objects, and how they are written. */
  query?: Record<string, string>;
  /** Media type of the request body where it is not JSON. */
  contentType?: string;
  /** How the body of a success is read where it is not JSON. */
  read?: "text" | "arrayBuffer";
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
  const methods = Object.entries(calls).map(([name, call]) => [
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
    const { data, error, response } = await request(call.method, call.path, {
      params: { path: input.path, query: input.query },
      headers: { ...requestHeaders(input, contentType), ...options.headers },
      querySerializer: (query: Record<string, unknown>) => writeQuery(query, call.query ?? {}),
      ...(input.body === undefined ? {} : { body: input.body }),
      ...(contentType && !/json/i.test(contentType) ? { bodySerializer: (body: unknown) => body } : {}),
      parseAs: call.read ?? "text",
      ...(options.signal ? { signal: options.signal } : {}),
    });
    if (!response.ok) {
      throw toError({ operation, status: response.status, headers: response.headers, body: error, response });
    }
    const body = call.read ? data : parseJson(data);
    if (body === NOT_JSON) {
      throw toError({ operation, status: response.status, headers: response.headers, body: data, response });
    }
    const types = call.headers[response.status] ?? call.headers["2XX"] ?? call.headers["default"] ?? {};
    return { status: response.status, headers: readHeaders(response.headers, types), body: asBytes(body), response };
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

function asBytes(body: unknown): unknown {
  return body instanceof ArrayBuffer ? new Uint8Array(body) : body;
}

function requestHeaders(input: AnyInput, contentType: string | undefined): Record<string, string> {
  const headers: Record<string, string> = contentType ? { "Content-Type": contentType } : {};
  for (const [name, value] of Object.entries(input.headers ?? {})) {
    if (value !== undefined && value !== null) headers[name] = String(value);
  }
  const cookies = Object.entries(input.cookies ?? {}).filter(([, value]) => value !== undefined);
  if (cookies.length > 0) {
    headers.Cookie = cookies.map(([name, value]) => \`\${name}=\${encodeURIComponent(String(value))}\`).join("; ");
  }
  return headers;
}

/** Writes a query in the style that each parameter declares. */
function writeQuery(query: Record<string, unknown>, styles: Record<string, string>): string {
  const parts: string[] = [];
  const add = (name: string, value: unknown) => parts.push(\`\${encodeURIComponent(name)}=\${encodeURIComponent(String(value))}\`);
  const separators: Record<string, string> = { comma: ",", spaceDelimited: "%20", pipeDelimited: "|" };
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    const separator = separators[styles[name] ?? ""];
    if (typeof value !== "object") add(name, value);
    else if (separator !== undefined) {
      const items = Array.isArray(value) ? value : Object.entries(value).flat();
      parts.push(\`\${encodeURIComponent(name)}=\${items.map((item) => encodeURIComponent(String(item))).join(separator)}\`);
    } else if (Array.isArray(value)) for (const item of value) add(name, item);
    else for (const [key, item] of Object.entries(value)) add(styles[name] === "deepObject" ? \`\${name}[\${key}]\` : key, item);
  }
  return parts.join("&");
}

function readHeaders(headers: Headers, types: HeaderTypes): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(types)) {
    const text = headers.get(name);
    if (text !== null) result[name] = readHeader(text, type);
  }
  return result;
}

function readHeader(text: string, type: HeaderTypes[string]): unknown {
  if (type === "number") return Number(text);
  if (type === "boolean") return text === "true";
  if (type === "json") return JSON.parse(text);
  if (type === "string") return text;
  const items = text.split(",").map((item) => item.trim());
  return type === "numbers" ? items.map(Number) : items;
}
`;
