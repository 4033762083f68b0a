import { findMediaType, isJson } from "../media-types.js";
import { chooseContentType, findStatusKey } from "./response.js";
import { isStream } from "./response-stream.js";
import type { RequestContext, HttpOperation, HttpResponse, ResponseValidators } from "../types.js";
import { describeErrors } from "../validation.js";

/** A handler's response that the document does not allow. */
export class InvalidResponseError extends Error {
  override readonly name = "InvalidResponseError";
}

/** The response validators of one operation, by status as in the document. */
export type OperationResponseValidators = Readonly<Record<string, ResponseValidators | undefined>>;

/**
 * Checks a response against its operation: status, headers, media type, and a body of JSON or text. Takes about as long as sending
 * the response, and is meant for tests and development.
 *
 * @throws InvalidResponseError that names the operation, the status and the location
 */
export function checkResponse(
  operation: HttpOperation,
  responseValidators: OperationResponseValidators,
  response: HttpResponse,
  requestContext: RequestContext,
): void {
  const createResponseError = (reason: string): InvalidResponseError =>
    new InvalidResponseError(`${operation.name} responded with status ${response.status}: ${reason}`);
  const key = findStatusKey(operation.responseMediaTypes, response.status);
  if (key === undefined) throw createResponseError("the document declares no such status.");
  const validators = responseValidators[key] ?? {};
  const headers = normalizeHeaders({ ...requestContext.headers, ...response.headers });
  if (validators.headers && !validators.headers(headers))
    throw createResponseError(describeErrors(validators.headers.errors ?? [], "headers", headers));
  const declaredTypes = operation.responseMediaTypes[key] ?? [];
  if (response.body === undefined) {
    if (declaredTypes.length > 0) throw createResponseError("the body is missing.");
    return;
  }
  if (declaredTypes.length === 0) throw createResponseError("the document declares no body.");
  const contentType = response.contentType ?? chooseContentType(declaredTypes, response.body);
  const declaredType = findMediaType(contentType, declaredTypes);
  if (declaredType === undefined) throw createResponseError(`the document declares no ${contentType}.`);
  const validator = validators.body?.[declaredType];
  if (!validator || response.body instanceof Uint8Array) return;
  const isText = typeof response.body === "string" && !isJson(contentType);
  // Streams have no complete value to check. A schema for any media type is that of JSON.
  if (isText ? declaredType === "*/*" : isStream(response.body)) return;
  const body: unknown = isText ? response.body : JSON.parse(JSON.stringify(response.body));
  if (!validator(body)) throw createResponseError(describeErrors(validator.errors ?? [], "body", body));
}

/** Returns the headers that are sent, by their names in lower case. */
function normalizeHeaders(headers: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name.toLowerCase(), value]),
  );
}
