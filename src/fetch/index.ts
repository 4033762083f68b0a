/** The runtime of generated clients, independent of any particular API. */
export {
  type Around,
  type AttemptOptions,
  type AttemptResult,
  bindOperations,
  type BoundOperations,
  type ClientOptions,
  connect,
  type Connection,
  type HttpConnection,
  withServer,
} from "./connection.js";
export { cookieWriter } from "./cookies.js";
export { ApiError, type ErrorResponse, type Failure } from "./errors.js";
export { readEvents } from "./events.js";
export { headerWriter } from "./headers.js";
export { readLines, writeLines } from "./lines.js";
export { type FileInput, writeMultipart, type MultipartInput, type NamedFile } from "./multipart.js";
export type { CallOptions, Operation } from "./operation.js";
export { pathWriter, unreachablePath } from "./path.js";
export { queryWriter, untypedQueryWriter } from "./query.js";
export {
  type Bytes,
  readByMediaType,
  readBytes,
  readByStatus,
  readJson,
  readNothing,
  readText,
} from "./read-body.js";
export { asBoolean, asCookies, asJson, asList, asObject, asScalar } from "./response-headers.js";
export type { ItemOf, ServerSentEvent } from "../http/message-types.js";
export { send } from "./send.js";
export { type BinaryInput, writeAs, writeByMediaType, writeForm, writeJson } from "./write-body.js";
