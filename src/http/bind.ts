import type { IncomingMessage } from "node:http";
import { type BodyLimits, readBody } from "./body/body.js";
import { checkResponse, type OperationResponseValidators } from "./responses/check-response.js";
import { needsContentType } from "./media-types.js";
import { respondToError } from "./problem-details.js";
import { createParameterDecoder } from "./parameters/parameters.js";
import { sendResponse } from "./responses/response.js";
import { closeBody } from "./responses/response-stream.js";
import { LOCATIONS, PARTS_BY_LOCATION } from "./parameters/text-values.js";
import { releaseBody } from "./body/body-stream.js";
import type {
  RequestContext,
  HttpOperation,
  HttpRequest,
  HttpResponse,
  RequestValidators,
  RouteHandler,
} from "./types.js";
import { convertAndValidate } from "./convert-and-validate.js";
import { validate } from "./validation.js";

/** Options of `createBinder`. */
export interface BinderOptions<Context> {
  /** `validators` of the generated validators.js. */
  validators: Readonly<Record<string, RequestValidators | undefined>>;
  /**
   * Runs first: creates the context of the handler, adds headers of every response to `requestContext.headers`, and throws
   * to refuse the request. The context is undefined when omitted. To tell a handler that the client disconnected, put an
   * AbortSignal into the context and abort it when `requestContext.response` emits `close`.
   */
  begin?(requestContext: RequestContext, operation: HttpOperation): Context | Promise<Context>;
  /**
   * Waits until a request may continue whose body of 8 KB or more was read into memory and is not parsed yet, for example for
   * a turn of its client. Throws to refuse the request. When omitted, such bodies are parsed in the order of their arrival, with some
   * turns of the event loop between them.
   */
  awaitBodyTurn?(context: Context, requestContext: RequestContext): Promise<void>;
  /**
   * Creates the response to an error: an InvalidRequestError, or an error of `begin`, `awaitBodyTurn` or a handler. When omitted, the
   * response is `problemResponse(error)`, and an error without a status is printed to standard error.
   */
  onError?(error: unknown, requestContext: RequestContext, operation: HttpOperation): HttpResponse;
  /** Runs before each response is sent, for example to log it. Runs again if an error response replaces a failed one. */
  beforeResponse?(requestContext: RequestContext, result: HttpResponse, operation: HttpOperation): void;
  /**
   * `responseValidators` of response-validators.js, which `generate --response-validators` writes. A handler's response
   * that the document does not allow becomes an error. For development and tests.
   */
  responseValidators?: Readonly<Record<string, OperationResponseValidators | undefined>>;
  /** Maximum size in bytes of a request body that is read into memory; 1 MiB when omitted. */
  bodyLimit?: number;
  /**
   * Maximum size in bytes of a request body that the handler reads as a stream: binary, JSON lines, and multipart with
   * files. `bodyLimit` when omitted. `bodyLimit` also bounds each JSON line, and the fields of a multipart body that are
   * read into memory.
   */
  uploadLimit?: number;
}

const DEFAULT_BODY_LIMIT_BYTES = 1024 * 1024;

/**
 * Creates the handler of a route from an operation and its handler. The generated `registerRoutes` calls it for each operation.
 *
 * @typeParam Handler the type of the handlers that the router accepts; those of Express and its router by default
 */
export type Binder<Context, Handler = RouteHandler> = (
  operation: HttpOperation,
  handler: (request: never, context: Context) => Promise<HttpResponse>,
) => Handler;

/**
 * Creates the `bind` argument of the generated `registerRoutes`. It turns an operation and its handler into an
 * Express-style route handler, which runs `begin`, decodes, validates, calls the handler and encodes its result.
 */
export function createBinder(options: BinderOptions<undefined> & { begin?: undefined }): Binder<undefined>;
export function createBinder<Context>(
  options: BinderOptions<Context> & Required<Pick<BinderOptions<Context>, "begin">>,
): Binder<Context>;
export function createBinder<Context>(options: BinderOptions<Context>): Binder<Context> {
  const {
    // Safe cast: without `begin` the type of the context is undefined.
    begin = () => undefined as Context,
    onError = respondToError,
    beforeResponse,
    bodyLimit = DEFAULT_BODY_LIMIT_BYTES,
    uploadLimit = bodyLimit,
  } = options;
  return (operation, handler) => {
    const responseValidators = options.responseValidators?.[operation.name];
    const decode = createRequestDecoder(operation, { ...options, bodyLimit, uploadLimit });
    const { conditions } = operation;
    return (request, response, next) => {
      if (conditions && !meetsConditions(request, conditions)) {
        next();
        return;
      }
      const requestContext: RequestContext = { request, response, startTime: performance.now(), headers: {} };
      const respond = async (): Promise<void> => {
        let handled: HttpResponse | undefined;
        try {
          const context = await begin(requestContext, operation);
          const decoded = await decode(requestContext, context);
          // Safe cast: the validators of this operation have just checked that this is its request type.
          handled = await handler(decoded as never, context);
          if (responseValidators) checkResponse(operation, responseValidators, handled, requestContext);
          beforeResponse?.(requestContext, handled, operation);
          const sending = sendResponse(requestContext, handled, operation);
          if (sending) await sending;
        } catch (error) {
          closeBody(handled?.body);
          const result = onError(error, requestContext, operation);
          beforeResponse?.(requestContext, result, operation);
          await sendResponse(requestContext, result);
        } finally {
          if (operation.body) releaseBody(request);
        }
      };
      respond().catch(next);
    };
  };
}

/** Whether a request meets the conditions of an operation that shares its route with others. */
function meetsConditions(
  request: IncomingMessage,
  conditions: NonNullable<HttpOperation["conditions"]>,
): boolean {
  const url = request.url ?? "";
  const query = new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?") + 1) : "");
  return conditions.every(({ in: location, name, value }) => {
    const values = location === "query" ? query.getAll(name) : [request.headers[name.toLowerCase()]];
    return value === undefined ? values[0] !== undefined : values.includes(value);
  });
}

/** Creates a function that decodes and validates the parameters and the body of a request. */
function createRequestDecoder<Context>(
  operation: HttpOperation,
  options: Pick<BinderOptions<Context>, "validators" | "awaitBodyTurn"> & BodyLimits,
): (requestContext: RequestContext, context: Context) => HttpRequest | Promise<HttpRequest> {
  const { awaitBodyTurn } = options;
  const decodeParameters = createParameterDecoder(operation);
  const validators = options.validators[operation.name] ?? {};
  const checks = LOCATIONS.flatMap((location) => {
    const part = PARTS_BY_LOCATION[location];
    const validator = validators[part];
    const parameters = operation.parameters.filter((parameter) => parameter.in === location);
    return validator ? [{ part, validator, parameters }] : [];
  });
  const readParameters = ({ request }: RequestContext): HttpRequest => {
    const decoded = decodeParameters(request);
    for (const { part, validator, parameters } of checks)
      convertAndValidate(validator, part, decoded[part], parameters);
    return decoded;
  };
  const { body: accepted } = operation;
  if (!accepted) return readParameters;
  const hasContentType = needsContentType(accepted.mediaTypes);
  const checkBody = (declaredType: string, label: string, value: unknown): void => {
    const validator = validators.body?.[declaredType];
    const fields = accepted.fields?.[declaredType];
    if (validator && fields) convertAndValidate(validator, label, value, fields);
    else if (validator) validate(validator, label, value);
  };
  return async (requestContext, context) => {
    // The body first: invalid JSON is reported before invalid parameters.
    const awaitTurn = awaitBodyTurn && (() => awaitBodyTurn(context, requestContext));
    const body = await readBody(requestContext.request, accepted, options, checkBody, awaitTurn);
    const decoded = readParameters(requestContext);
    if (body.declaredType === undefined) return decoded;
    // A streamed body is checked when it has been read.
    if (!body.streamed) checkBody(body.declaredType, "body", body.value);
    decoded.body = body.value;
    if (hasContentType) decoded.contentType = body.contentType;
    return decoded;
  };
}
