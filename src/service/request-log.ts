import type { Logger } from "pino";
import type { ProxyHeaders } from "../access/client-address.js";
import { getPrincipal } from "./request-principal.js";
import type { RequestContext, HttpResponse } from "../http/index.js";
import { readRequestPath, readTraceId } from "./trace-context.js";

/**
 * Logs a response: refused requests at level info, successful ones at level debug. Headers and query strings stay out of
 * the log, because they can contain secrets.
 */
export function logResponse(
  logger: Logger,
  { readClientAddress, isFromTrustedProxy }: ProxyHeaders,
  { request, headers }: RequestContext,
  { status }: HttpResponse,
  milliseconds: number,
): void {
  const level = status < 400 ? "debug" : "info";
  if (!logger.isLevelEnabled(level)) return;
  const principal = getPrincipal(request);
  const fields = {
    request_id: headers["X-Request-Id"],
    method: request.method,
    path: readRequestPath(request),
    status,
    ms: Math.round(milliseconds * 100) / 100,
    client_address: readClientAddress(request),
    workspace_id: principal?.workspaceId,
    key_id: principal?.userId,
    trace_id: readTraceId(request, isFromTrustedProxy),
  };
  logger[level](fields, "request");
}
