import type { Logger } from "pino";
import type { ProxyHeaders } from "../access/client-address.js";
import { getPrincipal } from "./request-principal.js";
import type { RequestContext, HttpResponse } from "../http/index.js";
import { readRequestPath, readTraceId } from "./trace-context.js";

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
  const principal = getPrincipal(request);
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
