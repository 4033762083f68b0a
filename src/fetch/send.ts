import { type AttemptOptions, type Connection, internals } from "./connection.js";
import { writeHeaders } from "./headers.js";
import { parseJson } from "./read-body.js";
import type { CallOptions, Operation, OperationInput, WrittenBody } from "./operation.js";
import { writePath } from "./path.js";
import { writeQuery } from "./query.js";
import { readHeaders } from "./response-headers.js";

/**
 * Sends a call of an operation and reads its response.
 *
 * @param input the parts of the request that the operation declares
 * @param options headers and signal of this call
 * @returns status, headers and body of a success, and the response itself
 * @throws the connection's error for any other response, a TypeError for a request that cannot be written, and whatever
 *   fetch throws
 */
export async function send<Result>(
  connection: Connection,
  input: OperationInput = {},
  options: CallOptions = {},
  operation: Operation,
): Promise<Result> {
  const { toError, around, request } = connection[internals];
  const { path = {}, query = {}, headers = {}, cookies, body, contentType } = input;
  // Written once, before the first attempt: a request that cannot be written is never sent.
  const writtenPath = writePath(operation.path, path, operation.pathWriters);
  const writtenQuery = writeQuery(query, operation.queryWriters);
  const written: WrittenBody = (body !== undefined && operation.write?.(body, contentType)) || { body };
  // openapi-fetch adds these to the headers of an attempt, except undefined ones.
  const header = {
    Accept: operation.accept,
    ...written.headers,
    ...writeHeaders(headers, operation.headerWriters),
    ...operation.cookies?.(cookies),
    ...options.headers,
  };
  const attempt = (additions: AttemptOptions) =>
    request(operation.method, operation.path, {
      ...additions,
      ...written,
      params: { path, query, header },
      headers: additions.headers,
      pathSerializer: (url: string) => url.replace(operation.path, () => writtenPath),
      querySerializer: () => writtenQuery,
      parseAs: operation.read ? "stream" : "text",
    });
  const { data, error, response } = await around(operation, attempt, options);
  const { status, headers: received } = response;
  const createError = (content: unknown, reason?: string) =>
    toError({ operation: operation.name, status, headers: received, body: content, response, reason });
  // The JSON text `""` has a length. openapi-fetch does not distinguish it from an empty chunked body, which has none.
  const isEmpty = error === "" && !received.has("Content-Length");
  if (!response.ok) throw createError(isEmpty ? undefined : error);
  const readers = operation.headers?.[status] ?? operation.headers?.["2XX"] ?? {};
  return {
    status,
    headers: readHeaders(response, readers, createError),
    response,
    ...(operation.read && status !== 204 && status !== 205
      ? await operation.read(response, options, createError)
      : { body: parseJson(data, createError) }),
    // Safe cast: the document declares what the server sends.
  } as Result;
}
