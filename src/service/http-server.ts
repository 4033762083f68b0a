import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import { promisify } from "node:util";
import {
  HEADERS_TIMEOUT_MS,
  IDLE_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  MAX_CONNECTIONS,
  MAX_PIPELINED_REQUESTS_OF_PROCESS,
  REQUEST_TIMEOUT_MS,
  TIMEOUT_CHECK_INTERVAL_MS,
} from "../budgets.js";
import { type RefuseRequest, refuseMalformedRequests } from "./malformed-request.js";
import { limitBodyChunks } from "./body-chunks.js";
import { createConnectionLimit, type GetConnectionClient } from "./connection-limit.js";
import { recordConnection } from "../operations/execution/event-loop-turns.js";
import { createPipelineQueue } from "./pipeline-queue.js";

/** Interval between searches for idle connections while the server closes. */
const CLOSE_INTERVAL_MS = 50;

const SERVER_OPTIONS: ServerOptions = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
  requireHostHeader: false,
};

/** Creates an HTTP server with limits for slow clients and for connections. `refuse` responds to invalid HTTP. */
export function createHttpServer(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  refuse: RefuseRequest,
  getClient: GetConnectionClient,
  {
    idleTimeoutMs = IDLE_TIMEOUT_MS,
    maxConnections = MAX_CONNECTIONS,
    maxPipelinedRequests = MAX_PIPELINED_REQUESTS_OF_PROCESS,
  } = {},
) {
  // Connections that have not sent a request. Node treats them as busy and would wait for them on close().
  const socketsWithoutRequest = new Set<Socket>();
  /** The response that each connection waits for: the last one, if it has sent several requests. */
  const pendingResponses = new WeakMap<Socket, ServerResponse>();
  const queuePipelined = createPipelineQueue(maxPipelinedRequests, handleWellFormed);
  const server = createServer(SERVER_OPTIONS, (request, response) => {
    const { socket } = request;
    socketsWithoutRequest.delete(socket);
    pendingResponses.set(socket, response);
    response.once("close", () => {
      if (pendingResponses.get(socket) === response) pendingResponses.delete(socket);
    });
    limitBodyChunks(request, response);
    if (response.socket === null) queuePipelined(request, response);
    else handleWellFormed(request, response);
  });
  const isMalformed = refuseMalformedRequests(server, refuse);
  function handleWellFormed(request: IncomingMessage, response: ServerResponse): void {
    keepOpenUntilResponse(request, response, idleTimeoutMs);
    if (!isMalformed(request, response)) handle(request, response);
  }
  // Without a request in progress, Node closes an idle connection itself.
  server.setTimeout(idleTimeoutMs);
  const isIdle = (socket: Socket): boolean => !pendingResponses.has(socket);
  server.on("connection", createConnectionLimit(getClient, isIdle, maxConnections));
  server.on("connection", recordConnection);
  server.on("connection", (socket) => {
    socketsWithoutRequest.add(socket);
    socket.once("close", () => socketsWithoutRequest.delete(socket));
  });
  return {
    listen: (port: number, host?: string) => listen(server, port, host),
    /** Stops accepting connections, and resolves when the requests in progress are complete. */
    async close(): Promise<void> {
      const closed = closeServer(server);
      for (const socket of socketsWithoutRequest) socket.destroy();
      await closed;
    },
  };
}

/** Keeps a connection open while its client waits for a response, however long the handler takes. */
function keepOpenUntilResponse(
  request: IncomingMessage,
  response: ServerResponse,
  idleTimeoutMs: number,
): void {
  response.on("timeout", () => {
    if (response.headersSent) request.socket.destroy();
    else request.socket.setTimeout(idleTimeoutMs);
  });
}

async function listen(server: Server, port: number, host: string | undefined): Promise<number> {
  // The kernel drops new connections that do not fit into this queue, and their clients wait for a second or more.
  server.listen({ port, host, backlog: MAX_CONNECTIONS });
  // Rejects when the server emits an error.
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  // Repeated, because a connection becomes idle later if the body of a refused request is still being received.
  const timer = setInterval(() => server.closeIdleConnections(), CLOSE_INTERVAL_MS).unref();
  await promisify(server.close.bind(server))();
  clearInterval(timer);
}
