import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import Router from "router";
import { MAX_BODY_BYTES } from "../budgets.js";
import { registerRoutes } from "../../generated/routes.js";
import { validators } from "../../generated/validators.js";
import type { HandlerContext, SuppliedHeaders } from "../adapters/context.js";
import { handlers } from "../adapters/index.js";
import {
  createBinder,
  type RequestContext,
  type HttpOperation,
  type HttpResponse,
  sendResponse,
} from "../http/index.js";
import type { ProxyHeaderReader } from "../access/limits/client-address.js";
import type { Metrics } from "../metrics/metrics.js";
import type { Store } from "../storage/engine/store.js";
import type { AdmitRequest } from "./admission.js";
import { awaitBodyTurn } from "./body-turns.js";
import { refuseDeletedWorkspace } from "./deleted-workspaces.js";
import { createErrorResponse, InvalidRequestUrlError, RateLimitedError } from "./error-response.js";
import type { MemoryBudget } from "./memory-budget.js";
import { createReadConcurrencyLimit } from "./read-concurrency.js";
import { createResponseLog, type LogFailure } from "./request-log.js";
import { nameSpan } from "./tracing.js";

interface ApiDependencies extends ProxyHeaderReader {
  readonly admit: AdmitRequest;
  readonly memory: MemoryBudget;
  readonly store: Store;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly logFailure: LogFailure;
  isClosing(): boolean;
}

/** Creates the request pipeline of the API: admission, decoding, validation, limit of reads, handler, metrics and log. */
export function createApi(dependencies: ApiDependencies) {
  const { admit } = dependencies;
  const hooks = createHooks(dependencies);
  const router = createRouter(dependencies, hooks);

  /** Responds to a request that no operation can handle. The request counts against the rate limit like any other. */
  const refuse = async (
    request: IncomingMessage,
    response: ServerResponse,
    cause: unknown,
  ): Promise<void> => {
    const requestContext: RequestContext = { request, response, startTime: performance.now(), headers: {} };
    // Admission counts the request against the rate limit. Its other errors do not matter, because the request is refused anyway.
    const refusal: unknown = await admit(requestContext).then(
      () => cause,
      (error: unknown) => (error instanceof RateLimitedError ? error : cause),
    );
    const result = hooks.onError(refusal, requestContext);
    hooks.beforeResponse(requestContext, result);
    sendResponse(requestContext, result);
  };

  return {
    refuse,
    /** Responds to a request for an operation of the OpenAPI document, and with an error to all other requests. */
    handle(request: IncomingMessage, response: ServerResponse): void {
      const refuseUnrouted = (error?: unknown): void => {
        void refuse(request, response, isUrlError(error) ? new InvalidRequestUrlError() : error);
      };
      // The router answers OPTIONS itself, but no operation has that method.
      if (request.method === "OPTIONS") refuseUnrouted();
      else router(request, response, refuseUnrouted);
    },
  };
}

type Hooks = ReturnType<typeof createHooks>;

/** Creates the functions that run after an error and before each response. They count and log the response. */
function createHooks(dependencies: ApiDependencies) {
  const { metrics, logger, logFailure, isClosing } = dependencies;
  /** Responses with status 429, except the first of a window. Logged at level debug: there can be thousands per second. */
  const repeatedRefusals = new WeakSet<HttpResponse>();
  const logResponse = createResponseLog(logger, dependencies);
  return {
    onError(error: unknown, requestContext: RequestContext, operation?: HttpOperation): HttpResponse {
      const response = createErrorResponse(error, requestContext, operation, (cause) => {
        const fields = { request_id: requestContext.headers["X-Request-Id"] };
        logFailure("request failed", cause, fields);
      });
      if (error instanceof RateLimitedError) {
        metrics.countRateLimited(error.caller);
        if (!error.isFirst) repeatedRefusals.add(response);
      }
      return response;
    },

    beforeResponse(requestContext: RequestContext, result: HttpResponse, operation?: HttpOperation): void {
      const { request, response, startTime } = requestContext;
      const milliseconds = performance.now() - startTime;
      metrics.observeRequest(operation?.name, request.method ?? "", result.status, milliseconds / 1000);
      // A client that sent its request before shutdown must not reuse the connection.
      if (isClosing()) response.shouldKeepAlive = false;
      if (operation !== undefined) nameSpan(request, operation);
      const level = result.status < 400 || repeatedRefusals.has(result) ? "debug" : "info";
      logResponse(level, requestContext, result.status, milliseconds);
    },
  };
}

function createRouter({ admit, memory, store }: ApiDependencies, { onError, beforeResponse }: Hooks) {
  const router = Router({ caseSensitive: true, strict: true });
  const bind = createBinder<HandlerContext>({
    validators,
    begin: admit,
    awaitBodyTurn,
    onError,
    beforeResponse,
    bodyLimit: MAX_BODY_BYTES,
  });
  const limitReads = createReadConcurrencyLimit(memory, store);
  registerRoutes<HandlerContext, SuppliedHeaders>(router, handlers, (operation, handler) =>
    bind(operation, refuseDeletedWorkspace(limitReads(operation, handler))),
  );
  return router;
}

/** Whether the router found no operation (no error), or could not decode the path (status 400). */
function isUrlError(error: unknown): boolean {
  return (
    error === undefined ||
    error === null ||
    (error instanceof Error && "status" in error && error.status === 400)
  );
}
