import type { ClientNeeds, Need } from "./client-needs.js";

/** Lines of code, those left out that are not needed. */
function lines(...all: (string | false)[]): string {
  return all.filter((line) => line !== false).join("\n");
}

/** What the client knows of an operation: the type of what each function gives to `send`. */
export function callInterface({ bodies, reads, accept, path, query, headers, cookies }: ClientNeeds): string {
  const styled = [path, query, headers].includes("styled") || cookies;
  return lines(
    "/** What the document says of an operation, as far as sending a call needs it. */",
    "export interface Call {",
    "  name: string;",
    "  path: string;",
    '  method: "get" | "put" | "post" | "delete" | "options" | "head" | "patch" | "trace";',
    "  /** Whether a request that was not answered may be sent again: as it is, or with this header, which names it. */",
    "  repeatable?: true | string;",
    styled && "  /** How parameters are written that are not plain text, by place and name. */",
    styled && "  styles?: {",
    path === "styled" && "    path?: Record<string, PathStyle>;",
    query === "styled" && "    query?: Record<string, QueryStyle>;",
    headers === "styled" && "    headers?: Record<string, HeaderStyle>;",
    cookies && "    cookies?: Styles;",
    styled && "  };",
    bodies && "  /** Media type of the request body where it is not JSON. */",
    bodies && "  contentType?: string;",
    bodies && "  /** How bodies are written that are neither JSON nor sent as they are, by media type. */",
    bodies && "  write?: Record<string, WriteBody>;",
    reads && "  /** How the body of a success is read where it is not JSON. */",
    reads && "  read?: ReadBody;",
    accept && "  /** Media type to ask for, where the server might not think of it. */",
    accept && "  accept?: string;",
    "  /** How the declared headers of a success are read, by status. */",
    "  headers?: Record<string, HeaderReaders>;",
    "}",
  );
}

/** The function that sends a call and gives what comes of it. */
export function sendFunction(needs: ClientNeeds): string {
  const { bodies, reads, accept, path, query, headers, cookies, ranges } = needs;
  const styles = (place: string, need: Need): string =>
    need === "styled" ? `, call.styles?.${place} ?? {}` : "";
  // Those that there are: projects may forbid what is declared and unused.
  const places = [
    path !== "none" && "path",
    query !== "none" && "query",
    headers !== "none" && "headers",
    cookies && "cookies",
  ].filter((place) => place !== false);
  const parts = [...places.map((place) => `${place} = {}`), ...(bodies ? ["contentType"] : []), "body"];
  return lines(
    "async function send<Reply>(",
    "  { http, [settings]: { toError, around } }: Connection,",
    "  call: Call,",
    `  { ${parts.join(", ")} }: AnyInput = {},`,
    "  options: CallOptions = {},",
    "): Promise<Reply> {",
    "  // The cast: here an operation is data, so the types that openapi-fetch computes per path are of no use.",
    "  const request = http.request as unknown as (",
    "    method: string,",
    "    path: string,",
    "    init: Record<string, unknown>,",
    "  ) => Promise<Answer>;",
    "  // Written here, and not for each try: what cannot be written fails before anything is sent.",
    path !== "none" && `  const writtenPath = writePath(call.path, path${styles("path", path)});`,
    query !== "none" && `  const writtenQuery = writeQuery(query${styles("query", query)});`,
    bodies && "  const declared = contentType ?? call.contentType;",
    bodies && "  const { body: content, contentType: mediaType = declared } =",
    bodies && "    body === undefined ? { body } : writeBody(call, body, declared);",
    "  const own = {",
    accept && "    ...(call.accept ? { Accept: call.accept } : {}),",
    bodies &&
      '    ...(content === undefined || mediaType === undefined ? {} : { "Content-Type": mediaType }),',
    headers !== "none" && `    ...writeHeaders(headers${styles("headers", headers)}),`,
    cookies && "    ...writeCookies(cookies, call.styles?.cookies ?? {}),",
    "    ...options.headers,",
    "  };",
    "  const attempt = (more: Attempt) =>",
    "    request(call.method, call.path, {",
    "      ...more,",
    `      params: { ${places.filter((place) => place === "path" || place === "query").join(", ")} },`,
    "      headers: { ...more.headers, ...own },",
    path !== "none" && "      pathSerializer: (url: string) => url.replace(call.path, () => writtenPath),",
    query !== "none" && "      querySerializer: () => writtenQuery,",
    bodies ? "      body: content," : "      body,",
    bodies && '      ...(content instanceof ReadableStream ? { duplex: "half" } : {}),',
    bodies && "      ...(mediaType === undefined || isJson(mediaType)",
    bodies && "        ? {}",
    bodies && "        : { bodySerializer: (written: unknown) => written }),",
    reads ? '      parseAs: call.read === undefined ? "text" : "stream",' : '      parseAs: "text",',
    "    });",
    "  const { data, error, response } = await around(call, attempt, options);",
    "  const { status } = response;",
    "  const failed = (body: unknown) =>",
    "    toError({ operation: call.name, status, headers: response.headers, body, response });",
    '  if (!response.ok) throw failed(error === "" ? undefined : error);',
    `  const readers = call.headers?.[status]${ranges ? ' ?? call.headers?.["2XX"] ?? call.headers?.["default"]' : ""} ?? {};`,
    "  const result = { status, headers: readHeaders(response.headers, readers), response };",
    "  // The casts: what the server sends is what the document says of it.",
    reads && "  if (call.read !== undefined) {",
    reads && '    const empty = status === 204 || status === 205 || call.method === "head";',
    reads && "    const found = empty ? { body: undefined } : await call.read(response, options, failed);",
    reads && "    return { ...result, ...found } as Reply;",
    reads && "  }",
    "  return { ...result, body: parseJson(data, failed) } as Reply;",
    "}",
  );
}
