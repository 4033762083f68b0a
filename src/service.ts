import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Logger, pino } from "pino";
import Router from "router";
import { type Handlers, registerRoutes } from "../generated/routes.js";
import { expectations, validators } from "../generated/validators.js";
import { createAuthenticate } from "./access/authenticate.js";
import { createClientAddress } from "./access/client-address.js";
import { createKeyForWorkspace, type KeyRequest, type ProvisionedKey } from "./access/provision.js";
import { createRateLimiter } from "./access/rate-limit.js";
import { memoryCounters, redisCounters } from "./access/counters.js";
import { createUsage } from "./access/usage.js";
import { createAdmission } from "./adapters/admission.js";
import { blocksHandlers } from "./adapters/blocks.js";
import { commentsHandlers } from "./adapters/comments.js";
import type { Context, SuppliedHeaders } from "./adapters/context.js";
import { databasesHandlers } from "./adapters/databases.js";
import { errorReply, InvalidRequestUrl, RateLimited } from "./adapters/errors.js";
import { startHousekeeping } from "./adapters/housekeeping.js";
import { createKeptAnswers } from "./adapters/kept-answers.js";
import { pagesHandlers } from "./adapters/pages.js";
import { searchHandlers } from "./adapters/search.js";
import { usersHandlers } from "./adapters/users.js";
import { createBinder, type Exchange, type HttpOperation, type Reply, sendReply } from "./http/index.js";
import { answerUnreadable } from "./http/unreadable.js";
import { Metrics } from "./metrics/metrics.js";
import { createMetricsPage } from "./metrics/page.js";
import { openStore, type Store } from "./storage/store.js";
import { createWebApp } from "./web/app.js";
import { createSystemRoutes } from "./web/system-routes.js";

/** Most bytes of a request body: 500 KB. */
const BODY_LIMIT = 512_000;
/** Milliseconds that a client has to send its headers, and a whole request: slow ones must not hold connections. */
const HEADERS_TIMEOUT = 15_000;
const REQUEST_TIMEOUT = 30_000;
/** Milliseconds between two looks for those that have taken longer. */
const TIMEOUT_CHECK = 5_000;
/**
 * Milliseconds that nothing may move on a connection: a client that does not read its answer must not hold it either. Node
 * looks a second time where a part of it went out. Longer than the database may take.
 */
const SILENCE_TIMEOUT = 20_000;
/** Most connections at once: files and memory for the others must be left. */
const MAX_CONNECTIONS = 10_000;

export interface PageServiceOptions {
  /** Path of the SQLite file, ":memory:", or the address of a PostgreSQL database, see openStore. */
  database: string;
  /** Address that clients use; shown on the start page. */
  baseUrl?: string;
  /** Address of the web application, which page addresses begin with. */
  appUrl?: string;
  /** Redis or Valkey, where processes share their rate limits; this one counts by itself when it is left out. */
  redisUrl?: string | undefined;
  /** Proxies whose `X-Forwarded-For` is believed, see createClientAddress; none when it is left out. */
  trustedProxies?: readonly string[];
  /** Silent when left out. */
  logger?: Logger;
}

export interface PageService {
  /** Answers one request; for a server of your own. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Listens and resolves with the port. */
  listen(port: number, host?: string): Promise<number>;
  /** Makes an API key, and its workspace with a database where there is none of that name. */
  createKey(request: KeyRequest): Promise<ProvisionedKey>;
  /** Takes no new requests, finishes those under way, closes the database. */
  close(): Promise<void>;
  readonly store: Store;
}

/**
 * Puts the service together.
 *
 * @throws StorageUnavailableError or ConflictError when the database cannot be opened, ProvisionError when a trusted proxy
 *   is none
 */
export async function createPageService(options: PageServiceOptions): Promise<PageService> {
  const { database, baseUrl = "http://localhost:3000", appUrl = baseUrl } = options;
  const logger = options.logger ?? pino({ level: "silent" });
  const addressOf = createClientAddress(options.trustedProxies ?? []);
  const metrics = new Metrics();
  const store = await openStore(database, (writes) => metrics.groups.observe(writes));
  const counters =
    options.redisUrl === undefined
      ? memoryCounters()
      : await redisCounters(options.redisUrl, (error) => {
          if (error)
            logger.warn({ err: error }, "Redis is out of reach: counting requests in this process alone");
          else logger.info("Redis is back: counting requests together again");
        });
  let closing = false;

  const usage = createUsage(store, (error) => {
    logger.warn({ err: error }, "the counts of requests cannot be written now, and are kept");
  });
  const admit = createAdmission(
    createAuthenticate(store),
    createRateLimiter(counters),
    usage,
    store,
    addressOf,
  );
  const onError = (error: unknown, exchange: Exchange): Reply => {
    if (error instanceof RateLimited) metrics.refusals[error.caller] += 1;
    return errorReply(error, exchange, (cause) => {
      logger.error({ err: cause, request_id: exchange.headers["X-Request-Id"] }, "request failed");
    });
  };

  const beforeReply = (exchange: Exchange, reply: Reply, operation?: HttpOperation): void => {
    const seconds = (performance.now() - exchange.started) / 1000;
    metrics.answered(operation, exchange.request.method ?? "", reply.status, seconds);
    // Whoever asked before the service was told to stop must not use the connection again.
    if (closing) exchange.response.shouldKeepAlive = false;
    // What went well is of interest to somebody who looks into something; what was refused, to whoever runs this.
    const level = reply.status < 400 ? "debug" : "info";
    if (logger.isLevelEnabled(level)) logger[level](answerLine(exchange, reply), "answered");
  };

  const router = Router({ caseSensitive: true, strict: true });
  const bind = createBinder<Context>({
    validators,
    expectations,
    begin: admit,
    onError,
    beforeReply,
    bodyLimit: BODY_LIMIT,
  });
  const handlers: Handlers<Context, SuppliedHeaders> = {
    blocks: blocksHandlers(store, appUrl),
    comments: commentsHandlers(store, appUrl),
    databases: databasesHandlers(store, appUrl),
    pages: pagesHandlers(store, { appUrl, baseUrl }),
    search: searchHandlers(store, appUrl),
    users: usersHandlers(store),
  };
  const keepAnswers = createKeptAnswers(store);
  registerRoutes<Context, SuppliedHeaders>(router, handlers, (operation, handler) =>
    bind(operation, keepAnswers(operation, handler)),
  );

  /**
   * Answers what the router hands back: a path or method that no operation has, or an error that left no answer.
   * It is counted like any other request, so that nobody gets around the limit.
   */
  const refuse = async (
    request: IncomingMessage,
    response: ServerResponse,
    cause: unknown,
  ): Promise<void> => {
    const exchange: Exchange = { request, response, started: performance.now(), headers: {} };
    const refusal: unknown = await admit(exchange).then(
      () => cause,
      (error: unknown) => (error instanceof RateLimited ? error : cause),
    );
    const reply = onError(refusal, exchange);
    beforeReply(exchange, reply);
    sendReply(exchange, reply);
  };

  const stopHousekeeping = startHousekeeping(store, (error) =>
    logger.error({ err: error }, "housekeeping failed"),
  );
  const systemRoutes = createSystemRoutes({
    store,
    isClosing: () => closing,
    metrics: createMetricsPage(metrics, { store: () => store.stats(), redis: () => counters.shared() }),
    onError: (error) => logger.error({ err: error }, "request failed"),
  });
  const webApp = createWebApp({
    store,
    usage,
    counters,
    addressOf,
    baseUrl,
    appUrl,
    onError: (error) => logger.error({ err: error }, "page failed"),
  });
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    // Clients that were given an address with a slash at its end ask for //v1/…
    if (request.url?.startsWith("//")) request.url = request.url.replace(/^\/+(?=v1\/)/, "/");
    if (closing) response.shouldKeepAlive = false;
    if (systemRoutes(request, response) || webApp(request, response)) return;
    const unanswered = (error?: unknown): void => {
      // The router reports a path that cannot be decoded as an error with status 400.
      const isUrl =
        error === undefined ||
        error === null ||
        (error instanceof Error && "status" in error && error.status === 400);
      void refuse(request, response, isUrl ? new InvalidRequestUrl() : error);
    };
    // The router would answer OPTIONS by itself; no operation does.
    if (request.method === "OPTIONS") unanswered();
    else router(request, response, unanswered);
  };

  // Connections that have not brought a request yet. Node takes them for busy and would wait for them on closing.
  const silent = new Set<Socket>();
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT,
      requestTimeout: REQUEST_TIMEOUT,
      connectionsCheckingInterval: TIMEOUT_CHECK,
      requireHostHeader: false,
    },
    (request, response) => {
      silent.delete(request.socket);
      // One that was sent before the last one was answered waits for its turn: of a client that sends on and on and does not
      // read, there is never more than one answer in memory.
      if (response.socket === null) response.once("socket", () => handleReadable(request, response));
      else handleReadable(request, response);
    },
  );
  const isUnreadable = answerUnreadable(server, (request, response, reason) => {
    silent.delete(request.socket);
    void refuse(request, response, reason);
  });
  function handleReadable(request: IncomingMessage, response: ServerResponse): void {
    if (!isUnreadable(request, response)) handle(request, response);
  }
  server.setTimeout(SILENCE_TIMEOUT);
  server.maxConnections = MAX_CONNECTIONS;
  server.on("connection", (socket) => {
    silent.add(socket);
    socket.once("close", () => silent.delete(socket));
  });
  return {
    handle,
    store,
    listen: (port, host) => listen(server, port, host),
    createKey: (request) => createKeyForWorkspace(store, request),
    async close() {
      closing = true;
      stopHousekeeping();
      await new Promise<void>((resolve) => {
        if (server.listening) server.close(() => resolve());
        else resolve();
        for (const socket of silent) socket.destroy();
      });
      await usage.close();
      await counters.close();
      await store.close();
    },
  };
}

function listen(server: Server, port: number, host: string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

/** What the log says of a request. Headers stay out of it, and so do query strings: both can hold secrets. */
function answerLine({ request, started, headers }: Exchange, { status }: Reply): object {
  const url = request.url ?? "";
  const query = url.indexOf("?");
  return {
    request_id: headers["X-Request-Id"],
    method: request.method,
    path: query === -1 ? url : url.slice(0, query),
    status,
    ms: Math.round((performance.now() - started) * 100) / 100,
  };
}
