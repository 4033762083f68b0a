import type { IncomingMessage, ServerResponse } from "node:http";
import { type Logger, pino } from "pino";
import Router from "router";
import { createAccountService } from "./access/accounts/account-service.js";
import { createAuthenticator, createLookupQueue } from "./access/keys/authenticate.js";
import { createProxyHeaderReader, toNetwork } from "./access/limits/client-address.js";
import {
  type CounterFactory,
  createMemoryCounterFactory,
  createRedisCounterFactory,
} from "./access/limits/counters.js";
import {
  createKeyAsOperator,
  type KeyRequest,
  type NewKeyWithWorkspace,
} from "./access/keys/operator-keys.js";
import { createRateLimiter } from "./access/limits/rate-limit.js";
import { UsageRecorder } from "./access/limits/usage.js";
import { REQUEST_MEMORY_BYTES } from "./budgets.js";
import type { Config } from "./config.js";
import { getErrorMessage } from "./errors.js";
import { createMetrics } from "./metrics/metrics.js";
import { Scopes } from "./operations/execution/scope.js";
import { createAdmission } from "./service/admission.js";
import { createApi } from "./service/api.js";
import { startBackgroundTasks } from "./service/background-tasks.js";
import { createHttpServer } from "./service/http-server.js";
import { MemoryBudget } from "./service/memory-budget.js";
import { createLineLimit } from "./service/line-limit.js";
import { createFailureLog } from "./service/request-log.js";
import { createRenderQueue } from "./service/render-queue.js";
import { createRequestScheduler } from "./service/request-scheduler.js";
import { readRequestPath, traceRequest } from "./service/tracing.js";
import { openStore } from "./storage/engine/open-store.js";
import type { Store } from "./storage/engine/store.js";
import { createWebApp } from "./web/app.js";
import { createMalformedRequestPage } from "./web/error-page.js";
import { prefersHtml, sendWebResponse } from "./web/response.js";
import { createErrorHandler, createSystemRoutes } from "./web/system-routes.js";

/** The database and the settings that have a default or can be omitted, see Config. */
export interface PageServiceOptions extends Partial<
  Pick<Config, "baseUrl" | "appUrl" | "redisUrl" | "trustedProxies" | "registration" | "metricsToken">
> {
  /** Path of a SQLite file, ":memory:", or the URL of a PostgreSQL database, see openStore. */
  database: string;
  /** Silent when omitted. */
  logger?: Logger;
}

export interface PageService {
  /** Responds to a request, for use with your own HTTP server. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Listens, and resolves with the port. */
  listen(port: number, host?: string): Promise<number>;
  /** Creates an API key, and its workspace with a database if no workspace has that name. */
  createKey(request: KeyRequest): Promise<NewKeyWithWorkspace>;
  /** Makes `/readyz` return 503, so that load balancers send no new requests; requests are still served. */
  prepareShutdown(): void;
  /** Clears caches. Later requests fill them again. */
  releaseMemory(): void;
  /** Stops accepting requests, finishes those in progress and closes the database. */
  close(): Promise<void>;
  readonly store: Store;
}

/**
 * Opens the store and assembles the API, the web application and the background jobs.
 *
 * @throws StorageUnavailableError or LockTimeoutError when the database cannot be opened, UserError when a trusted proxy is
 *   not an address
 */
export async function createPageService(options: PageServiceOptions): Promise<PageService> {
  const dependencies = await openDependencies(options);
  const { store, counters, usage, logger, isFromTrustedProxy, readClientAddress } = dependencies;
  let closing = false;
  const isClosing = (): boolean => closing;
  const api = createApi({ ...dependencies, admit: createAdmission(dependencies), isClosing });
  const webRouter = createWebRouter(dependencies, options, isClosing);
  const stopBackgroundTasks = startBackgroundTasks(store, logger);

  const handle = createRequestScheduler(route, (request) => toNetwork(readClientAddress(request)));
  function route(request: IncomingMessage, response: ServerResponse): void {
    // Clients whose base URL ends with a slash request //v1/...
    if (request.url?.startsWith("//")) request.url = request.url.replace(/^\/+(?=v1\/)/, "/");
    if (closing) response.shouldKeepAlive = false;
    traceRequest(request, response, isFromTrustedProxy, () => {
      // The API handles all OPTIONS requests: the router of the pages would respond to them itself.
      if (isApiPath(request) || request.method === "OPTIONS") api.handle(request, response);
      else webRouter(request, response, () => api.handle(request, response));
    });
  }
  const server = createHttpServer(
    handle,
    (request, response, reason) => {
      if (prefersHtml(request) && !isApiPath(request)) {
        sendWebResponse(response, createMalformedRequestPage(reason.status, reason.message));
      } else void api.refuse(request, response, reason);
    },
    // A trusted proxy carries the requests of many clients.
    (socket) => (isFromTrustedProxy({ socket }) ? undefined : toNetwork(socket.remoteAddress)),
  );
  async function close(): Promise<void> {
    closing = true;
    await server.close();
    await stopBackgroundTasks();
    await usage.close();
    await counters.close();
    await store.close();
  }
  let closed: Promise<void> | undefined;
  return {
    handle,
    store,
    listen: server.listen,
    createKey: (request) => createKeyAsOperator(store, request),
    prepareShutdown() {
      closing = true;
    },
    releaseMemory() {
      store.releaseMemory();
      dependencies.scopes.releaseMemory();
    },
    // A second call waits for the first one. Otherwise it would close the database while requests are in progress.
    close: () => (closed ??= close()),
  };
}

type Dependencies = Awaited<ReturnType<typeof openDependencies>>;

/** Opens the store and the counters, and creates what the API and the pages share. */
async function openDependencies(options: PageServiceOptions) {
  const { database, redisUrl, baseUrl = "http://localhost:3000", appUrl = new URL(baseUrl).origin } = options;
  const logger = options.logger ?? pino({ level: "silent" });
  const { isFromTrustedProxy, readClientAddress } = createProxyHeaderReader(options.trustedProxies ?? []);
  const metrics = createMetrics();
  const store = await openStore(database, { onCommit: metrics.observeWriteGroup });
  const counters = await openCounters(redisUrl, logger).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const queueLookup = createLookupQueue();
  metrics.addGauges({
    store: () => store.stats(),
    redis: () => (redisUrl === undefined ? undefined : counters.isShared()),
  });
  return {
    baseUrl,
    appUrl,
    logger,
    logFailure: createFailureLog(logger),
    isFromTrustedProxy,
    readClientAddress,
    metrics,
    store,
    counters,
    queueLookup,
    authenticate: createAuthenticator(store, queueLookup),
    limiter: createRateLimiter(counters),
    usage: new UsageRecorder(store, (error) => {
      logger.warn({ err: error }, "request counts cannot be written at the moment; retrying later");
    }),
    scopes: new Scopes(store, { app: appUrl, api: baseUrl }),
    memory: new MemoryBudget(),
  };
}

/** Creates the router of everything besides the API: health checks, metrics, docs and the web application. */
function createWebRouter(
  dependencies: Dependencies,
  { registration = "invite", metricsToken }: PageServiceOptions,
  isClosing: () => boolean,
): Router.Router {
  const { store, counters, metrics, memory, logger, logFailure, readClientAddress } = dependencies;
  const onError = (error: unknown, request: IncomingMessage): void =>
    logFailure("page failed", error, { method: request.method, path: readRequestPath(request) });
  const chooseLevel = createLineLimit(logger, "warn", "failed sign-ins");
  const accounts = createAccountService({
    store,
    counters,
    registration,
    onFailedSignIn({ address, accountId, reason }) {
      metrics.countFailedSignIn();
      logger[chooseLevel()]({ client_address: address, account_id: accountId, reason }, "sign-in failed");
    },
  });
  const router = Router();
  router.use(
    createSystemRoutes({
      ...dependencies,
      ping: () =>
        store.ping().catch((error: unknown) => {
          logFailure("readiness check failed", error);
          throw error;
        }),
      isClosing,
      collectMetrics: metrics.collect,
      metricsToken,
      reserveMemory: (address, response) => void memory.reserve(address, REQUEST_MEMORY_BYTES, response),
    }),
  );
  router.use(
    createWebApp({
      ...dependencies,
      accounts,
      waitForRenderSlot: createRenderQueue((request) =>
        memory.requireAvailable(toNetwork(readClientAddress(request))),
      ),
      onError,
    }),
  );
  router.use(createErrorHandler(onError));
  return router;
}

function isApiPath(request: IncomingMessage): boolean {
  return /^\/v1(\/|\?|$)/.test(request.url ?? "");
}

async function openCounters(redisUrl: string | undefined, logger: Logger): Promise<CounterFactory> {
  if (redisUrl === undefined) return createMemoryCounterFactory();
  return createRedisCounterFactory(redisUrl, (error) => {
    if (error) {
      // Only its message, because an error of ioredis can contain the password.
      const reason = getErrorMessage(error).replace(/\.$/, "");
      logger.warn(
        `Redis is unavailable: ${reason}. Rate limits apply per process. Check REDIS_URL, and that the server is running.`,
      );
    } else {
      logger.info("Redis is back: rate limits are shared again");
    }
  });
}
