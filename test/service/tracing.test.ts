import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { expect, onTestFinished, test } from "vitest";
import { createPageService } from "../../src/service.js";
import { operations } from "../../generated/routes.js";
import { nameSpan, readRequestPath, traceRequest } from "../../src/service/tracing.js";
import { startServer } from "../support/server.js";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER = "00f067aa0ba902b7";

/** Starts a service with a tracer that collects spans in memory instead of sending them to a collector. */
async function start(trustedProxies: string[]) {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.register();
  const service = await createPageService({ database: ":memory:", trustedProxies });
  onTestFinished(async () => {
    await service.close();
    await provider.shutdown();
    for (const api of [trace, context, propagation]) api.disable();
  });
  const { key } = await service.createKey({ workspaceName: "Acme" });
  const url = `http://127.0.0.1:${await service.listen(0, "127.0.0.1")}`;
  const get = async (path: string): Promise<number> => {
    const headers = { authorization: `Bearer ${key}`, traceparent: `00-${TRACE}-${CALLER}-01` };
    const response = await fetch(url + path, { headers });
    await response.text();
    return response.status;
  };
  return { service, get, spans: () => exporter.getFinishedSpans() };
}

test("paths for logs have no token of a link, also in the absolute form that proxies send", () => {
  for (const start of ["", "/", "http://localhost:3000", "/settings/.."]) {
    expect(readRequestPath({ url: `${start}/join/secret?next=/` })).toBe(`${start}/join/...`);
  }
});

test("each request is a server span with the name of its operation, below the span of a trusted proxy", async () => {
  const { get, spans } = await start(["loopback"]);
  expect(await get("/v1/users/me?secret=1")).toBe(200);
  expect(await get("/v1/pages/5f1d7a84-9d0f-4f0e-9b7a-3d9b3e1f2a60")).toBe(404);
  expect(await get("/livez")).toBe(200);
  expect(await get("/reset/secret")).toBe(400);
  await expect.poll(spans).toHaveLength(4);
  expect(spans().map(({ name, attributes }) => [name, attributes])).toEqual([
    [
      "GET /v1/users/me",
      {
        "http.request.method": "GET",
        "http.route": "/v1/users/me",
        "url.path": "/v1/users/me",
        "http.response.status_code": 200,
      },
    ],
    [
      "GET /v1/pages/{page_id}",
      {
        "http.request.method": "GET",
        "http.route": "/v1/pages/{page_id}",
        "url.path": "/v1/pages/5f1d7a84-9d0f-4f0e-9b7a-3d9b3e1f2a60",
        "http.response.status_code": 404,
      },
    ],
    ["GET", { "http.request.method": "GET", "url.path": "/livez", "http.response.status_code": 200 }],
    ["GET", { "http.request.method": "GET", "url.path": "/reset/...", "http.response.status_code": 400 }],
  ]);
  for (const span of spans()) {
    expect(span.kind).toBe(SpanKind.SERVER);
    expect(span.spanContext().traceId).toBe(TRACE);
    expect(span.parentSpanContext?.spanId).toBe(CALLER);
    expect(span.status.code).toBe(SpanStatusCode.UNSET);
  }
});

test.each([
  [499, SpanStatusCode.UNSET],
  [500, SpanStatusCode.ERROR],
])("a response with the status %i has the span status %i", async (status, expected) => {
  const { spans } = await start([]);
  const url = await startServer((request, response) =>
    traceRequest(
      request,
      response,
      () => false,
      () => response.writeHead(status).end(),
    ),
  );
  await fetch(url);
  await expect.poll(spans).toMatchObject([{ status: { code: expected } }]);
});

test("a failed request is a failed span; traceparent of an untrusted client is ignored", async () => {
  const { service, get, spans } = await start([]);
  await service.store.close();
  expect(await get("/v1/users/me")).toBe(503);
  await expect.poll(spans).toHaveLength(1);
  expect(spans()[0]).toMatchObject({
    status: { code: SpanStatusCode.ERROR },
    attributes: { "http.response.status_code": 503 },
    parentSpanContext: undefined,
  });
  expect(spans()[0]?.spanContext().traceId).not.toBe(TRACE);
});

test("a request within the span of an instrumentation has no span of its own", async () => {
  const { spans } = await start([]);
  const url = await startServer((request, response) => {
    const span = trace.getTracer("instrumentation").startSpan("HTTP GET");
    response.once("close", () => span.end());
    const handle = () => {
      nameSpan(request, operations.listUsers);
      response.end();
    };
    context.with(trace.setSpan(context.active(), span), () =>
      traceRequest(request, response, () => false, handle),
    );
  });
  await fetch(url);
  await expect
    .poll(spans)
    .toMatchObject([{ name: "GET /v1/users", instrumentationScope: { name: "instrumentation" } }]);
});
