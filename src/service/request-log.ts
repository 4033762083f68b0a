import type { Logger } from "pino";
import type { ProxyHeaders } from "../access/client-address.js";
import { getPrincipal } from "./request-principal.js";
import type { RequestContext, HttpResponse } from "../http/index.js";
import { readRequestPath, readTraceId } from "./trace-context.js";

/** Logs a response: refused requests at level info, successful ones at level debug. */
export function logResponse(
  logger: Logger,
  { readClientAddress, isFromTrustedProxy }: ProxyHeaders,
  requestContext: RequestContext,
  result: HttpResponse,
  milliseconds: number,
): void {
  const level = result.status < 400 ? "debug" : "info";
  if (!logger.isLevelEnabled(level)) return;
  const principal = getPrincipal(requestContext.request);
  const fields = {
    ...toLogFields(requestContext, result, milliseconds),
    client_address: readClientAddress(requestContext.request),
    workspace_id: principal?.workspaceId,
    key_id: principal?.userId,
    trace_id: readTraceId(requestContext.request, isFromTrustedProxy),
  };
  logger[level](fields, "request");
}

/** Headers stay out of the log, because they can contain secrets. */
function toLogFields(
  { request, headers }: RequestContext,
  { status }: HttpResponse,
  milliseconds: number,
): object {
  return {
    request_id: headers["X-Request-Id"],
    method: request.method,
    path: readRequestPath(request),
    status,
    ms: Math.round(milliseconds * 100) / 100,
  };
}
