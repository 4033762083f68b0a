/** HTTP runtime of generated routes. It does not know any operation by name. */
export { type Binder, type BinderOptions, createBinder } from "./bind.js";
export { type OperationResponseValidators, InvalidResponseError } from "./responses/check-response.js";
export { decodeJson, EncodedJson } from "./responses/encoded-json.js";
export { type InvalidRequestReason, InvalidRequestError } from "./errors.js";
export type {
  BinaryContent,
  ClientErrorStatus,
  ItemOf,
  OmitHeaders,
  RedirectStatus,
  ServerErrorStatus,
  ServerSentEvent,
} from "./message-types.js";
export type { FieldPart, FilePart, Multipart, Part } from "./body/multipart-types.js";
export { problemResponse } from "./problem-details.js";
export { sendResponse } from "./responses/response.js";
export type {
  RequestContext,
  HttpField,
  HttpOperation,
  HttpParameter,
  HttpRequest,
  HttpResponse,
  RequestValidators,
  ResponseValidators,
  RouteHandler,
  ValidationError,
  Validator,
} from "./types.js";
// Re-exported for generated code, so that only the runtime needs the types of Node.
export type { Readable } from "node:stream";
export { validate } from "./validation.js";
