import type { IncomingMessage, ServerResponse } from "node:http";
import {
  context,
  propagation,
  ProxyTracerProvider,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { IsFromTrustedProxy } from "../access/limits/client-address.js";
import type { HttpOperation } from "../http/index.js";

const TRACER_NAME = "page-service";

const serverSpans = new WeakMap<IncomingMessage, Span>();

/** Handles a request within an OpenTelemetry server span, if the operator has registered an SDK with `node --import`. */
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
  const provider = trace.getTracerProvider();
  // No SDK is registered. A span that records nothing would take 4 % of the processor time of a cached GET.
  if (provider instanceof ProxyTracerProvider && provider.getDelegateTracer(TRACER_NAME) === undefined) {
    return handle();
  }
  const headers = isFromTrustedProxy(request) ? request.headers : {};
  const caller = propagation.extract(context.active(), headers);
  const method = request.method ?? "";
  const attributes = { "http.request.method": method, "url.path": readRequestPath(request) };
  const span = provider
    .getTracer(TRACER_NAME)
    .startSpan(method, { kind: SpanKind.SERVER, attributes }, caller);
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

/** W3C Trace Context, section 3.2. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Returns the trace id of a request's `traceparent` header, if a trusted proxy sent it. */
export function readTraceId(
  request: IncomingMessage,
  isFromTrustedProxy: IsFromTrustedProxy,
): string | undefined {
  const { traceparent } = request.headers;
  if (typeof traceparent !== "string" || !isFromTrustedProxy(request)) return undefined;
  return TRACEPARENT.exec(traceparent)?.[1];
}

/** Returns the path of a request for logs and spans, without its query string and the token of a link, which can be secrets. */
export function readRequestPath({ url = "" }: Pick<IncomingMessage, "url">): string {
  return url.replace(/\?.*/s, "").replace(/(\/(?:join|reset)\/).*/is, "$1...");
}
