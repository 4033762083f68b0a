import type { IncomingMessage, ServerResponse } from "node:http";
import { type Logger, pino } from "pino";
import Router from "router";
import { createAccounts } from "./access/accounts.js";
import { toAddressGroup } from "./access/address.js";
import { createAuthenticator } from "./access/authenticate.js";
import { createClientAddressReader, createProxyCheck } from "./access/client-address.js";
import { type Counters, createMemoryCounters, createRedisCounters } from "./access/counters.js";
import { createKeyForWorkspace, type KeyRequest, type ProvisionedKey } from "./access/operator-keys.js";
import { createRateLimiter } from "./access/rate-limit.js";
import type { Registration } from "./access/sign-in.js";
import { createUsageRecorder } from "./access/usage.js";
import { REQUEST_MEMORY_BYTES } from "./budgets.js";
import { createMetrics } from "./metrics/metrics.js";
import { Scopes } from "./operations/scope.js";
import { createAdmission } from "./service/admission.js";
import { createApi } from "./service/api.js";
import { startBackgroundJobs } from "./service/background-jobs.js";
import { startCleanup } from "./service/cleanup.js";
import { createHttpServer } from "./service/http-server.js";
import { MemoryBudget } from "./service/memory-budget.js";
import { createRenderTurns } from "./service/render-turns.js";
import { createRequestIdAssigner } from "./service/trace-context.js";
import { traceRequest } from "./service/tracing.js";
import { openStore, type Store } from "./storage/engine/store.js";
import { createWebApp } from "./web/app.js";
import { createSystemRoutes } from "./web/system-routes.js";

/** Configuration of the service. */
export interface PageServiceOptions {
  /** Path of a SQLite file, ":memory:", or the URL of a PostgreSQL database, see openStore. */
  database: string;
  /** Address of the API; shown on the start page. */
  baseUrl?: string;
  /** Address of the web application, which the URLs of pages start with. */
  appUrl?: string;
  /** URL of a Redis or Valkey server, where processes share rate limits. When omitted, each process has its own limits. */
  redisUrl?: string | undefined;
  /** Proxies whose `X-Forwarded-For` is trusted, see createClientAddressReader; none when omitted. */
  trustedProxies?: readonly string[];
  /** The people who can create an account, see Registration; "invite" when omitted. */
  registration?: Registration;
  /** Bearer token for `/metrics`. When omitted, only clients on this machine have access. */
  metricsToken?: string | undefined;
  /** Silent when omitted. */
  logger?: Logger;
}

/** The API and the web application on one store. */
export interface PageService {
  /** Responds to a request, for use with your own HTTP server. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Listens, and resolves with the port. */
  listen(port: number, host?: string): Promise<number>;
  /** Creates an API key, and its workspace with a database if no workspace has that name. */
  createKey(request: KeyRequest): Promise<ProvisionedKey>;
  /** Makes `/readyz` return 503, so that load balancers send no new requests; requests are still served. */
  prepareShutdown(): void;
  /** Stops accepting requests, finishes those in progress and closes the database. */
  close(): Promise<void>;
  readonly store: Store;
}

/**
 * Opens the store and assembles the API, the web application and the background jobs.
 *
 * @throws StorageUnavailableError or ConflictError when the database cannot be opened, UserError when a trusted proxy is
 *   not an address
 */
export async function createPageService(options: PageServiceOptions): Promise<PageService> {
  const { database, baseUrl = "http://localhost:3000", appUrl = baseUrl } = options;
  const logger = options.logger ?? pino({ level: "silent" });
  const trustedProxies = options.trustedProxies ?? [];
  const readClientAddress = createClientAddressReader(trustedProxies);
  const isFromTrustedProxy = createProxyCheck(trustedProxies);
  const metrics = createMetrics();
  const store = await openStore(database, metrics.observeWriteGroup);
  const counters = await openCounters(options.redisUrl, logger);
  metrics.addGauges({ store: () => store.stats(), redis: () => counters.isShared() });
  const usage = createUsageRecorder(store, (error) => {
    logger.warn({ err: error }, "request counts cannot be written at the moment; retrying later");
  });
  let closing = false;
  const isClosing = (): boolean => closing;

  const scopes = new Scopes(store, { app: appUrl, api: baseUrl });
  const memory = new MemoryBudget();
  const admit = createAdmission({
    authenticate: createAuthenticator(store),
    limiter: createRateLimiter(counters),
    usage,
    memory,
    store,
    scopes,
    readClientAddress,
    assignRequestId: createRequestIdAssigner(isFromTrustedProxy),
  });
  const api = createApi({
    admit,
    store,
    memory,
    metrics,
    logger,
    proxyHeaders: { readClientAddress, isFromTrustedProxy },
    isClosing,
  });
  const onPageError = (error: unknown): void => logger.error({ err: error }, "page failed");
  const accounts = createAccounts({
    store,
    counters,
    registration: options.registration ?? "invite",
    onFailedSignIn({ address, accountId, reason }) {
      metrics.countFailedSignIn();
      logger.warn({ client_address: address, account_id: accountId, reason }, "sign-in failed");
    },
  });
  const pages = Router();
  pages.use(
    createSystemRoutes({
      baseUrl,
      appUrl,
      ping: () => store.ping(),
      isClosing,
      scrape: metrics.scrape,
      metricsToken: options.metricsToken,
      counters,
      readClientAddress,
      reserveMemory: (address, response) => memory.reserve(address, REQUEST_MEMORY_BYTES, response),
      onError: onPageError,
    }),
  );
  pages.use(
    createWebApp({
      store,
      accounts,
      usage,
      scopes,
      readClientAddress,
      baseUrl,
      appUrl,
      awaitRenderTurn: createRenderTurns((request) =>
        memory.requireRoom(toAddressGroup(readClientAddress(request))),
      ),
      onError: onPageError,
    }),
  );
  const stopCleanup = startCleanup(store, (error) => logger.error({ err: error }, "cleanup failed"));
  const stopJobs = startBackgroundJobs(store, (error) =>
    logger.error({ err: error }, "background job failed"),
  );

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    // Clients whose base URL ends with a slash request //v1/...
    if (request.url?.startsWith("//")) request.url = request.url.replace(/^\/+(?=v1\/)/, "/");
    if (closing) response.shouldKeepAlive = false;
    traceRequest(request, response, isFromTrustedProxy, () => route(request, response));
  };
  const route = (request: IncomingMessage, response: ServerResponse): void => {
    // The API handles all OPTIONS requests: the router of the pages would respond to them itself.
    const isPage = !/^\/v1(\/|\?|$)/.test(request.url ?? "") && request.method !== "OPTIONS";
    if (isPage) pages(request, response, () => api.handle(request, response));
    else api.handle(request, response);
  };
  const server = createHttpServer(handle, api.refuse, (socket) =>
    // A trusted proxy carries the requests of many clients.
    isFromTrustedProxy({ socket }) ? undefined : toAddressGroup(socket.remoteAddress),
  );
  return {
    handle,
    store,
    listen: server.listen,
    createKey: (request) => createKeyForWorkspace(store, request),
    prepareShutdown() {
      closing = true;
    },
    async close() {
      closing = true;
      stopCleanup();
      await server.close();
      await stopJobs();
      await usage.close();
      await counters.close();
      await store.close();
    },
  };
}

/** Opens the counters of rate limits: in this process, or in Redis when it is configured. */
async function openCounters(redisUrl: string | undefined, logger: Logger): Promise<Counters> {
  if (redisUrl === undefined) return createMemoryCounters();
  return createRedisCounters(redisUrl, (error) => {
    if (error) {
      logger.warn({ err: error }, "Redis is unavailable: rate limits apply per process");
    } else {
      logger.info("Redis is back: rate limits are shared again");
    }
  });
}
