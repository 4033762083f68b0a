import type { IncomingMessage } from "node:http";
import { type BodyLimits, readBody, streamsBody } from "./body.js";
import { checkReply, type ReplyChecks } from "./check-reply.js";
import { reportedProblem } from "./problem.js";
import { type ParameterDecoder, parameterDecoder } from "./parameters.js";
import { sendReply } from "./reply.js";
import { releaseBody } from "./source.js";
import type {
  Exchange,
  HttpOperation,
  HttpRequest,
  Reply,
  RequestValidators,
  RouteHandler,
} from "./types.js";
import { type Expectations, validate } from "./validation.js";

export interface BinderOptions<Context> {
  /** `validators` of the generated validators.js. */
  validators: Readonly<Record<string, RequestValidators | undefined>>;
  /** `expectations` of the generated validators.js. */
  expectations: Expectations;
  /**
   * Runs first: makes what handlers get as their context, puts headers for every answer into `exchange.headers`, and
   * throws to refuse the request. Left out, the context is undefined. A handler whose stream waits for long learns that
   * the client left from an AbortSignal in it that is aborted when `exchange.response` emits `close`.
   */
  begin?(exchange: Exchange, operation: HttpOperation): Context | Promise<Context>;
  /**
   * Makes the answer to anything thrown on the way: a RequestRefused, or what `begin` or a handler threw. Left out, the
   * answer is `problemReply(error)`, and an error without a status is printed on standard error.
   */
  onError?(error: unknown, exchange: Exchange): Reply;
  /** Runs before an answer goes out, whichever it is; for the log, say, or for what is counted by operation. */
  beforeReply?(exchange: Exchange, reply: Reply, operation: HttpOperation): void;
  /**
   * `responseValidators` of response-validators.js, which `generate --response-validators` makes: every answer of a
   * handler is held against the document, and one that it does not allow becomes an error. For development and tests.
   */
  checkResponses?: Readonly<Record<string, ReplyChecks | undefined>>;
  /** Most bytes of a request body that are accepted; 1 MiB when left out. */
  bodyLimit?: number;
  /**
   * Most bytes of a request body that the handler gets as a stream: bytes, and multipart with files. That of `bodyLimit`
   * when left out, which then is for what is kept of it in memory.
   */
  uploadLimit?: number;
}

const BODY_LIMIT = 1024 * 1024;

type Handler<Context> = (request: never, context: Context) => Promise<Reply>;

/** Joins an operation and its handler to an Express-style route handler. */
export type Binder<Context> = (operation: HttpOperation, handler: Handler<Context>) => RouteHandler;

/**
 * Makes the `bind` that the generated `registerRoutes` asks for: it turns an operation and its handler into an
 * Express-style route handler. In this order: begin, decode, validate, handler, encode.
 */
export function createBinder(options: BinderOptions<undefined> & { begin?: undefined }): Binder<undefined>;
export function createBinder<Context>(
  options: BinderOptions<Context> & Required<Pick<BinderOptions<Context>, "begin">>,
): Binder<Context>;
export function createBinder<Context>(options: BinderOptions<Context>): Binder<Context> {
  const {
    // The cast: where nothing makes a context its type is undefined.
    begin = () => undefined as Context,
    onError = reportedProblem,
    beforeReply,
    bodyLimit = BODY_LIMIT,
    uploadLimit = bodyLimit,
  } = options;
  return (operation, handler) => {
    const checks = options.checkResponses?.[operation.id];
    const decode = requestDecoder(operation, { ...options, bodyLimit, uploadLimit });
    const streamed = streamsBody(operation);
    const { when } = operation;
    return (request, response, next) => {
      if (when && !isMeant(request, when)) {
        next();
        return;
      }
      const exchange: Exchange = { request, response, started: performance.now(), headers: {} };
      const answer = async (): Promise<void> => {
        try {
          const context = await begin(exchange, operation);
          const decoded = await decode(exchange);
          // The cast: the validators of this operation have just checked that this is its request type.
          const reply = await handler(decoded as never, context);
          if (checks) checkReply(operation, checks, reply, exchange, options.expectations);
          beforeReply?.(exchange, reply, operation);
          const sending = sendReply(exchange, reply, operation);
          if (sending) await sending;
        } catch (error) {
          const reply = onError(error, exchange);
          beforeReply?.(exchange, reply, operation);
          await sendReply(exchange, reply);
        } finally {
          if (streamed) releaseBody(request);
        }
      };
      answer().catch(next);
    };
  };
}

/** Whether a request on the operation's route is for this operation; another may share the route. */
function isMeant(request: IncomingMessage, when: NonNullable<HttpOperation["when"]>): boolean {
  const url = request.url ?? "";
  const query = new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?") + 1) : "");
  return when.every(({ in: place, name, value }) => {
    const found = place === "query" ? query.getAll(name) : [request.headers[name.toLowerCase()]];
    return value === undefined ? found[0] !== undefined : found.includes(value);
  });
}

function requestDecoder(
  operation: HttpOperation,
  options: Pick<BinderOptions<never>, "validators" | "expectations"> & BodyLimits,
): (exchange: Exchange) => HttpRequest | Promise<HttpRequest> {
  const decodeParameters: ParameterDecoder = parameterDecoder(operation);
  const validators = options.validators[operation.id] ?? {};
  const mediaTypes = Object.keys(operation.body?.mediaTypes ?? {});
  const named = mediaTypes.length > 1 || mediaTypes.some((name) => name !== "*/*" && name.endsWith("/*"));
  const parameters = (exchange: Exchange): HttpRequest => {
    const decoded = decodeParameters(exchange.request);
    for (const part of ["path", "query", "headers", "cookies"] as const) {
      const validator = validators[part];
      if (validator) validate(validator, part, decoded[part], options.expectations);
    }
    return decoded;
  };
  if (!operation.body) return parameters;
  const check = (declared: string, value: unknown): void => {
    const validator = validators.body?.[declared];
    if (validator) validate(validator, "body", value, options.expectations);
  };
  return async (exchange) => {
    // JSON comes before shape: a body that cannot be parsed is reported before a parameter that does not fit.
    const body = await readBody(exchange.request, operation, options, check);
    const decoded = parameters(exchange);
    if (body.declared === undefined) return decoded;
    // What is still to come is checked when it has been read.
    if (!body.streamed) check(body.declared, body.value);
    decoded.body = body.value;
    if (named) decoded.contentType = body.contentType;
    return decoded;
  };
}
