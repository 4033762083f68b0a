import type { Logger } from "pino";
import type { ProxyHeaders } from "../access/client-address.js";
import type { RequestContext, HttpResponse } from "../http/index.js";
import type { IncomingMessage } from "node:http";
import type { Principal } from "../access/authenticate.js";
import { readRequestPath, readTraceId } from "./tracing.js";

const PRINCIPAL = Symbol("principal");

declare module "node:http" {
  interface IncomingMessage {
    // A property, because a WeakMap would take 1.2 of the 33 µs of a GET.
    [PRINCIPAL]?: Principal;
  }
}

/** Records the principal of a request, so that its log line can name it whatever the response is. */
export function setPrincipal(request: IncomingMessage, principal: Principal): void {
  request[PRINCIPAL] = principal;
}

/** Maximum length of a path in the log. Paths of operations are shorter. */
const MAX_PATH_LENGTH = 200;

/** Logs a response. Headers and query strings stay out of the log, because they can contain secrets. */
export function logResponse(
  logger: Logger,
  level: "debug" | "info",
  { readClientAddress, isFromTrustedProxy }: ProxyHeaders,
  { request, headers }: RequestContext,
  { status }: HttpResponse,
  milliseconds: number,
): void {
  if (!logger.isLevelEnabled(level)) return;
  const principal = request[PRINCIPAL];
  const fields = {
    request_id: headers["X-Request-Id"],
    method: request.method,
    path: readRequestPath(request).slice(0, MAX_PATH_LENGTH),
    status,
    ms: Math.round(milliseconds * 100) / 100,
    client_address: readClientAddress(request),
    workspace_id: principal?.workspaceId,
    key_id: principal?.userId,
    trace_id: readTraceId(request, isFromTrustedProxy),
  };
  logger[level](fields, "request");
}
