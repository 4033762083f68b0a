/** The HTTP runtime that generated routes are mounted with. It knows no operation by name. */
export { type Binder, type BinderOptions, createBinder } from "./bind.js";
export { type ReplyChecks, ReplyMismatch } from "./check-reply.js";
export { type RefusalReason, RequestRefused } from "./errors.js";
export { problemReply } from "./problem.js";
export { sendReply } from "./reply.js";
export type {
  Exchange,
  HttpField,
  HttpOperation,
  HttpParameter,
  HttpRequest,
  Reply,
  RequestValidators,
  ResponseValidators,
  RouteHandler,
  ValidationError,
  Validator,
} from "./types.js";
export { validate } from "./validation.js";
