import type { IncomingMessage, ServerResponse } from "node:http";
import Router, { type ErrorRequestHandler, type RequestHandler } from "router";
import { MAX_PAGE_REQUESTS_PER_MINUTE, RETRY_AFTER_SECONDS } from "../budgets.js";
import { MINUTE_MS } from "../units.js";
import { awaitEventLoopTurn } from "../operations/execution/event-loop-turns.js";
import { readBearerToken } from "../access/keys/authenticate.js";
import { type ReadClientAddress, toNetwork, isLoopback } from "../access/limits/client-address.js";
import type { CounterFactory } from "../access/limits/counters.js";
import { createAddressLimit } from "../access/limits/rate-limit.js";
import { areEqualSecrets } from "../access/accounts/tokens.js";
import { describeSeconds } from "../domain/duration.js";
import { isLoopbackHost } from "./trusted-hosts.js";
import { type Addresses, createAssetLoaders, createDocumentLoaders, type LoadDocument } from "./documents.js";
import { sendStatic } from "./static-response.js";
import { describeFailure, RELOAD_LINK } from "./error-page.js";
import { renderMessagePage } from "./pages/message.js";
import {
  addHeader,
  createHtmlResponse,
  createRedirect,
  createTextResponse,
  prefersHtml,
  sendWebResponse,
} from "./response.js";

export interface SystemRoutesOptions extends Addresses {
  /** Rejects when the database cannot be read. */
  readonly ping: () => Promise<void>;
  readonly isClosing: () => boolean;
  readonly collectMetrics: () => Promise<{ type: string; body: string }>;
  /** Bearer token for `/metrics`. If it is undefined, only this machine has access. */
  readonly metricsToken: string | undefined;
  readonly counters: CounterFactory;
  readonly readClientAddress: ReadClientAddress;
  /** Reserves memory for a request of an address until its response is closed. Throws BusyError when too much is in use. */
  readonly reserveMemory: (address: string, response: ServerResponse) => void;
}

/** Creates the routes of health checks, metrics, docs and assets. Counts all requests, so that the limit covers web pages. */
export function createSystemRoutes(options: SystemRoutesOptions): Router.Router {
  const { ping, isClosing, collectMetrics, counters, readClientAddress, reserveMemory } = options;
  const router = Router({ caseSensitive: true, strict: true });

  router.get("/livez", (_request, response) => sendWebResponse(response, createTextResponse(200, "ok")));
  router.get("/readyz", async (_request, response) => {
    const result = isClosing()
      ? createTextResponse(503, "shutting down")
      : await ping().then(
          () => createTextResponse(200, "ok"),
          () => createTextResponse(503, "the database cannot be read"),
        );
    sendWebResponse(response, result);
  });

  // Assets have their own counter, so that the page that explains the limit can load them.
  router.use("/assets", admitRequests("asset"));
  for (const [path, load] of createAssetLoaders()) serveDocument(path, load);

  router.use(admitRequests("page"));
  router.get("/metrics", async (request, response) => {
    if (mayReadMetrics(request, options)) {
      const { type, body } = await collectMetrics();
      const headers = { "Content-Type": type, "Cache-Control": "no-store" };
      return sendWebResponse(response, { status: 200, headers, body });
    }
    const text = "Metrics are available on this machine, or with the token of METRICS_TOKEN.";
    sendMessage(request, response, 403, "No access to the metrics", text);
  });
  router.get("/docs/", (_request, response) => sendWebResponse(response, createRedirect("/docs")));
  for (const [path, load] of createDocumentLoaders(options)) serveDocument(path, load);
  return router;

  /** Creates the handler that refuses requests beyond the limit of an address, and reserves memory for the others. */
  function admitRequests(counterName: string): RequestHandler {
    const countRequest = createAddressLimit(counters, counterName, MINUTE_MS, MAX_PAGE_REQUESTS_PER_MINUTE);
    return async (request, response, next) => {
      const address = readClientAddress(request);
      const { allowed, retryAfterSeconds } = await countRequest(address);
      if (!allowed) {
        const text = `Your address sent too many requests. Wait ${describeSeconds(retryAfterSeconds)} and try again.`;
        return sendMessage(request, response, 429, "Too many requests", text, retryAfterSeconds);
      }
      reserveMemory(toNetwork(address), response);
      next();
    };
  }

  function serveDocument(path: string, load: LoadDocument): void {
    router.get(path, async (request, response) => {
      const document = await load();
      // The docs are so large that sending many copies in one turn of the event loop would delay other requests.
      await awaitEventLoopTurn(toNetwork(readClientAddress(request)));
      if (document !== undefined) return sendStatic(request, response, document);
      sendMessage(request, response, 404, "No docs", "The docs have not been built. Run `npm run docs`.");
    });
  }
}

/** Creates the last handler of a router: reports errors of the handlers before it, and responds to them with 500 or 503. */
export function createErrorHandler(
  onError: (error: unknown, request: IncomingMessage) => void,
): ErrorRequestHandler {
  // The router recognizes handlers of errors by their four parameters.
  return (error, request, response, _next) => {
    onError(error, request);
    const [title, text, status] = describeFailure(error);
    sendMessage(request, response, status, title, text, status === 503 ? RETRY_AFTER_SECONDS : undefined);
  };
}

/** Sends a message: a page for browsers, a line of text for programs. */
function sendMessage(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  title: string,
  text: string,
  retryAfterSeconds?: number,
): void {
  // Not for 403 and 404, which stay.
  const link = status >= 429 ? RELOAD_LINK : undefined;
  const message = prefersHtml(request)
    ? createHtmlResponse(renderMessagePage(title, text, undefined, link), status)
    : createTextResponse(status, text);
  sendWebResponse(
    response,
    retryAfterSeconds === undefined ? message : addHeader(message, "Retry-After", String(retryAfterSeconds)),
  );
}

/**
 * Whether a request has the metrics token or, if none is configured, comes from this machine without a proxy. Its Host header must
 * name this machine too, because a page of another site can send requests from a browser on this machine (DNS rebinding).
 */
function mayReadMetrics(
  request: IncomingMessage,
  { metricsToken, readClientAddress }: Pick<SystemRoutesOptions, "metricsToken" | "readClientAddress">,
): boolean {
  if (metricsToken === undefined) {
    const isForwarded =
      request.headers["x-forwarded-for"] !== undefined || request.headers.forwarded !== undefined;
    return !isForwarded && isLoopback(readClientAddress(request)) && isLoopbackHost(request.headers.host);
  }
  return areEqualSecrets(readBearerToken(request.headers.authorization) ?? "", metricsToken);
}
