import type { IncomingMessage, ServerResponse } from "node:http";
import Router, { type RequestHandler } from "router";
import { MAX_PAGE_REQUESTS_PER_MINUTE, RETRY_AFTER_SECONDS } from "../budgets.js";
import { BusyError } from "../storage/engine/errors.js";
import { readBearerToken } from "../access/authenticate.js";
import { type ReadClientAddress, toAddressGroup, isLoopback } from "../access/client-address.js";
import type { CounterFactory } from "../access/counters.js";
import { countRequest } from "../access/rate-limit.js";
import { type Addresses, createAssets, createDocuments, type LoadDocument, sendStatic } from "./documents.js";
import { INTERNAL_ERROR_TEXT } from "./error-page.js";
import {
  sendWebResponse,
  createTextResponse,
  type WebResponse,
  addHeader,
  createMessageResponse,
} from "./response.js";
import { areEqualSecrets } from "../access/tokens.js";

export interface SystemRoutesOptions extends Addresses {
  /** Rejects when the database cannot be read. */
  readonly ping: () => Promise<void>;
  readonly isClosing: () => boolean;
  readonly scrape: () => Promise<{ type: string; body: string }>;
  /** Bearer token for `/metrics`. If it is undefined, only this machine has access. */
  readonly metricsToken: string | undefined;
  readonly counters: CounterFactory;
  readonly readClientAddress: ReadClientAddress;
  /** Reserves memory for a request of an address until its response is closed. Throws BusyError when too much is in use. */
  readonly reserveMemory: (address: string, response: ServerResponse) => void;
  readonly onError: (error: unknown) => void;
}

const MINUTE_SECONDS = 60;

/**
 * Creates the routes outside of the API and the web application: health checks, metrics, documentation and assets.
 * Limits all requests except for health checks by client address, including those that it passes on to the web application.
 */
export function createSystemRoutes(options: SystemRoutesOptions): Router.Router {
  const { ping, isClosing, scrape, counters, readClientAddress, reserveMemory, onError } = options;
  const router = Router({ caseSensitive: true, strict: true });

  router.get("/livez", (_request, response) => sendWebResponse(response, createTextResponse(200, "ok")));
  router.get("/readyz", async (_request, response) => {
    if (isClosing()) return sendWebResponse(response, createTextResponse(503, "shutting down"));
    const isReady = await ping().then(
      () => true,
      () => false,
    );
    const result = isReady
      ? createTextResponse(200, "ok")
      : createTextResponse(503, "the database cannot be read");
    sendWebResponse(response, result);
  });

  // Assets are counted on their own, because the page that explains the limit needs them too.
  router.use("/assets", limitRequests("asset"));
  for (const [path, load] of createAssets()) serveDocument(path, load);

  router.use(limitRequests("page"));
  router.get("/metrics", async (request, response) => {
    if (!mayReadMetrics(request, options)) {
      const text = "Metrics are available on this machine, or with the token of METRICS_TOKEN.";
      return sendWebResponse(response, createMessageResponse(request, 403, "No access to the metrics", text));
    }
    await scrape().then(
      (metrics) => sendWebResponse(response, createMetricsResponse(metrics)),
      (error: unknown) => sendFailure(request, response, error),
    );
  });
  for (const [path, load] of createDocuments(options)) serveDocument(path, load);
  return router;

  /** Creates the handler that refuses requests beyond the limit of an address. */
  function limitRequests(counterName: string): RequestHandler {
    const requestsByAddress = counters.createCounter(counterName, MINUTE_SECONDS);
    return async (request, response, next) => {
      const address = toAddressGroup(readClientAddress(request));
      const { allowed, retryAfterSeconds } = await countRequest(
        requestsByAddress,
        address,
        MAX_PAGE_REQUESTS_PER_MINUTE,
      );
      if (!allowed) {
        const text = `Your address sent too many requests. Wait ${retryAfterSeconds} seconds and try again.`;
        const refusal = createMessageResponse(request, 429, "Too many requests", text);
        return sendWebResponse(response, addHeader(refusal, "Retry-After", String(retryAfterSeconds)));
      }
      try {
        reserveMemory(address, response);
      } catch (error) {
        if (!(error instanceof BusyError)) throw error;
        const refusal = createMessageResponse(request, 503, "Service busy", error.message);
        return sendWebResponse(response, addHeader(refusal, "Retry-After", String(RETRY_AFTER_SECONDS)));
      }
      next();
    };
  }

  function serveDocument(path: string, load: LoadDocument): void {
    router.get(path, async (request, response) => {
      try {
        const document = await load();
        if (document !== undefined) return sendStatic(request, response, document);
        const text = "The docs have not been built. Run `npm run docs`.";
        sendWebResponse(response, createMessageResponse(request, 404, "No docs", text));
      } catch (error) {
        sendFailure(request, response, error);
      }
    });
  }

  function sendFailure(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    onError(error);
    sendWebResponse(
      response,
      createMessageResponse(request, 500, "Something went wrong", INTERNAL_ERROR_TEXT),
    );
  }
}

/** Whether a request has the metrics token or, if none is configured, comes from this machine without a proxy. */
function mayReadMetrics(
  request: IncomingMessage,
  { metricsToken, readClientAddress }: Pick<SystemRoutesOptions, "metricsToken" | "readClientAddress">,
): boolean {
  if (metricsToken === undefined) {
    const isForwarded =
      request.headers["x-forwarded-for"] !== undefined || request.headers.forwarded !== undefined;
    return !isForwarded && isLoopback(readClientAddress(request));
  }
  return areEqualSecrets(readBearerToken(request.headers.authorization) ?? "", metricsToken);
}

function createMetricsResponse({ type, body }: { type: string; body: string }): WebResponse {
  return { status: 200, headers: { "Content-Type": type, "Cache-Control": "no-store" }, body };
}
