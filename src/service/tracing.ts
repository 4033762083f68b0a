import type { IncomingMessage, ServerResponse } from "node:http";
import {
  context,
  isSpanContextValid,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { IsFromTrustedProxy } from "../access/client-address.js";
import type { HttpOperation } from "../http/index.js";
import { readRequestPath } from "./trace-context.js";

const serverSpans = new WeakMap<IncomingMessage, Span>();

/**
 * Handles a request in an OpenTelemetry server span that ends with the response. Operators register an SDK with
 * `node --import`. If they do not, nothing is recorded. Names and attributes follow the semantic conventions of HTTP spans.
 */
export function traceRequest(
  request: IncomingMessage,
  response: ServerResponse,
  isFromTrustedProxy: IsFromTrustedProxy,
  handle: () => void,
): void {
  // Instrumentation of node:http has started a span already.
  const active = trace.getActiveSpan();
  if (active !== undefined) {
    serverSpans.set(request, active);
    return handle();
  }
  const headers = isFromTrustedProxy(request) ? request.headers : {};
  const caller = propagation.extract(context.active(), headers);
  const method = request.method ?? "";
  const attributes = { "http.request.method": method, "url.path": readRequestPath(request) };
  const tracer = trace.getTracer("page-service");
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, caller);
  // No SDK is registered.
  if (!isSpanContextValid(span.spanContext())) return handle();
  serverSpans.set(request, span);
  response.once("close", () => {
    span.setAttribute("http.response.status_code", response.statusCode);
    if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
  context.with(trace.setSpan(caller, span), handle);
}

/** Names the span of a request after its operation. */
export function nameSpan(request: IncomingMessage, { method, path }: HttpOperation): void {
  serverSpans.get(request)?.updateName(`${method} ${path}`).setAttribute("http.route", path);
}
