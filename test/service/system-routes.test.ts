import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request, ServerResponse } from "node:http";
import Negotiator from "negotiator";
import { pino } from "pino";
import Router from "router";
import { expect, onTestFinished, test, vi } from "vitest";
import { createMemoryCounterFactory } from "../../src/access/limits/counters.js";
import { BusyError } from "../../src/errors.js";
import { createPageService, type PageServiceOptions } from "../../src/service.js";
import { MemoryBudget } from "../../src/service/memory-budget.js";
import {
  createErrorHandler,
  createSystemRoutes,
  type SystemRoutesOptions,
} from "../../src/web/system-routes.js";
import { raw } from "../toolkit/http/server.js";
import { startServer } from "../support/server.js";
import { countTurns } from "../support/turns.js";

async function serve(
  options: Pick<PageServiceOptions, "baseUrl" | "appUrl" | "registration" | "metricsToken" | "logger"> = {},
) {
  const service = await createPageService({ database: ":memory:", ...options });
  onTestFinished(() => service.close());
  return { service, url: `http://127.0.0.1:${await service.listen(0, "127.0.0.1")}` };
}

test("the start page is public and links to settings, docs and health", async () => {
  const { url } = await serve({
    baseUrl: "https://pages.example.org/<b>&\"'",
    appUrl: "http://localhost",
    registration: "open",
  });
  for (const path of ["/", "/?x=1"]) {
    const response = await fetch(`${url}${path}`);
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("referrer-policy")).toBe("same-origin");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const policy = response.headers.get("content-security-policy") ?? "";
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]) {
      expect(policy).toContain(part);
    }
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    const text = await response.text();
    expect(text).not.toMatch(/<b>|<style|\bstyle=|\bon[a-z]+=|@import|(src|href)="(?!\/|#)/);
    for (const link of [
      "/settings/api",
      "/docs",
      "/openapi.json",
      "/readyz",
      "/sign-up",
      "/sign-in?next=/",
    ]) {
      expect(text).toContain(`href="${link}"`);
    }
    expect(text).toContain("https://pages.example.org/&#60;b&#62;&#38;&#34;&#39;");
  }
});

test("assets of pages have the right content type", async () => {
  const { url } = await serve();
  for (const [path, type] of [
    ["/assets/app.css", "text/css; charset=utf-8"],
    ["/assets/app.js", "text/javascript; charset=utf-8"],
    ["/assets/icon.svg", "image/svg+xml"],
    ["/favicon.ico", "image/svg+xml"],
    ["/assets/Temml-Local.css", "text/css; charset=utf-8"],
    ["/assets/Temml.woff2", "font/woff2"],
  ]) {
    const response = await fetch(url + path);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, type]);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  }
});

test("/docs is one page with the encoded address of the service, whose policy blocks all other resources", async () => {
  const { url } = await serve({ baseUrl: `https://docs.example.net/<"'&>`, appUrl: "http://localhost" });
  const response = await fetch(`${url}/docs`);
  const text = await response.text();
  expect(response.status).toBe(200);
  const policy = response.headers.get("content-security-policy") ?? "";
  for (const directive of ["default-src", "frame-ancestors", "base-uri", "form-action"])
    expect(policy).toContain(`${directive} 'none'`);
  expect(policy).not.toMatch(/https?:|\*/);
  expect(text).toMatch(/^\s*<!doctype html>/i);
  expect(text).toContain("curl https://docs.example.net/%3C%22%27%26%3E/v1/");
  expect(text).not.toMatch(/docs\.example\.net\/[^%]/);
});

test("/openapi.json is the committed document, byte for byte", async () => {
  const { url } = await serve();
  const response = await fetch(`${url}/openapi.json`);
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  const file = new URL("../../generated/openapi.json", import.meta.url);
  expect(await response.text()).toBe(readFileSync(file, "utf8"));
});

test("/readyz returns 503 while the database is unreachable, and its reason is logged; /livez returns 200", async () => {
  const lines: string[] = [];
  const { url, service } = await serve({ logger: pino({}, { write: (line) => void lines.push(line) }) });
  for (const path of ["/livez", "/readyz"]) {
    const response = await fetch(`${url}${path}`);
    expect([path, response.status, await response.text()]).toEqual([path, 200, "ok\n"]);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-store");
  }
  await service.store.close();
  const ready = await fetch(`${url}/readyz`);
  expect([ready.status, await ready.text()]).toEqual([503, "the database cannot be read\n"]);
  expect(lines.filter((line) => line.includes("readiness check failed"))).toEqual([
    expect.stringContaining('"reason":"The database is closed."'),
  ]);
  expect((await fetch(`${url}/livez`)).status).toBe(200);
});

test("HEAD returns the headers of GET; other methods and paths are not system routes", async () => {
  const { url } = await serve();
  for (const path of ["/", "/docs", "/openapi.json", "/livez", "/readyz", "/sign-up", "/assets/app.css"]) {
    const [get, head] = [await fetch(`${url}${path}`), await fetch(`${url}${path}`, { method: "HEAD" })];
    expect([path, head.status]).toEqual([path, get.status]);
    expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"));
    expect(await head.text()).toBe("");
  }
  for (const [method, path] of [
    ["POST", "/livez"],
    ["POST", "/metrics"],
    ["DELETE", "/"],
    ["OPTIONS", "/docs"],
    ["GET", "/livez/"],
    ["GET", "//"],
    ["GET", "/Docs"],
    ["GET", "/__proto__"],
    ["GET", "/constructor"],
    ["GET", "/docs/../../package.json"],
    ["GET", "/%2e%2e/package.json"],
    ["PUT", "/settings/api"],
    ["GET", "/assets/../app.js"],
    ["GET", "/assets/"],
    ["POST", "/settings/api/keys/x/revoke"],
  ] as const) {
    const response = await fetch(`${url}${path}`, { method });
    expect([method, path, response.status]).toEqual([method, path, 400]);
    expect(await response.json()).toMatchObject({ object: "error", code: "invalid_request_url" });
  }
});

test("the docs with a trailing slash redirect to the docs", async () => {
  const { url } = await serve();
  const response = await fetch(`${url}/docs/`, { redirect: "manual" });
  expect([response.status, response.headers.get("location")]).toEqual([303, "/docs"]);
});

test("documents are compressed once and revalidated by ETag", async () => {
  const { url } = await serve();
  for (const path of ["/docs", "/openapi.json", "/assets/app.css"]) {
    const sizes: number[] = [];
    for (const encoding of ["identity", "gzip", "br"]) {
      const response = await fetch(url + path, { headers: { "accept-encoding": encoding } });
      expect([path, response.headers.get("content-encoding") ?? "identity"]).toEqual([path, encoding]);
      expect(response.headers.get("vary")).toBe("Accept-Encoding");
      sizes.push(Number(response.headers.get("content-length")));
      await response.arrayBuffer();
    }
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    const { headers } = await fetch(url + path);
    const etag = headers.get("etag") ?? "";
    expect(headers.get("cache-control")).toBe("no-cache");
    for (const condition of [etag, "*", `"other", ${etag}`]) {
      const again = await fetch(url + path, { headers: { "if-none-match": condition } });
      expect([path, condition, again.status, await again.text()]).toEqual([path, condition, 304, ""]);
      expect(again.headers.get("etag")).toBe(etag);
    }
  }
});

test("of documents that are requested at once and take long, each is sent in its own turn of the event loop", async () => {
  const { url } = await serve();
  const turns = countTurns();
  onTestFinished(turns.end);
  const sentIn: number[] = [];
  const { writeHead } = ServerResponse.prototype;
  const spy = vi.spyOn(ServerResponse.prototype, "writeHead").mockImplementation(function (
    this: ServerResponse,
    ...parameters
  ) {
    sentIn.push(turns.current);
    const end = performance.now() + 2;
    while (performance.now() < end);
    return Reflect.apply(writeHead, this, parameters);
  });
  onTestFinished(() => spy.mockRestore());
  await Promise.all(Array.from({ length: 20 }, () => fetch(`${url}/openapi.json`)));
  expect(new Set(sentIn).size).toBe(20);
});

test("metrics are readable from this machine, or with the token", async () => {
  const { url } = await serve();
  const metrics = await fetch(`${url}/metrics`);
  expect([metrics.status, metrics.headers.get("cache-control")]).toEqual([200, "no-store"]);
  for (const header of ["x-forwarded-for", "forwarded"]) {
    expect((await fetch(`${url}/metrics`, { headers: { [header]: "for=127.0.0.1" } })).status).toBe(403);
  }
  // A page of another site whose name was made to point to this machine (DNS rebinding).
  const rebound = request(`${url}/metrics`, { headers: { host: "evil.example" } }).end();
  // The cast: the event has this argument.
  const [response] = (await once(rebound, "response")) as [IncomingMessage];
  expect(response.resume().statusCode).toBe(403);
  const guarded = await serve({ metricsToken: "secret" });
  const status = async (authorization: string): Promise<number> =>
    (await fetch(`${guarded.url}/metrics`, { headers: { authorization } })).status;
  expect([await status(""), await status("Bearer wrong"), await status("Bearer secret")]).toEqual([
    403, 403, 200,
  ]);
});

test("an address can send 600 requests per minute for pages and documents, and 600 for assets; health checks are not limited", async () => {
  let url: string;
  let statuses: number[];
  let started: number;
  // Repeated if the requests took longer than a minute, because then the limit began anew.
  do {
    ({ url } = await serve());
    statuses = [];
    started = performance.now();
    for (const path of ["/sign-in", "/assets/app.css"]) {
      for (let sent = 0; sent < 602; sent += 43) {
        const responses = Array.from({ length: 43 }, () => fetch(`${url}${path}`, { method: "HEAD" }));
        statuses.push(...(await Promise.all(responses)).map(({ status }) => status));
      }
      // The page of the limit can still load its assets.
      if (path === "/sign-in") expect((await fetch(`${url}/assets/app.js`)).status).toBe(200);
    }
  } while (performance.now() - started > 60_000);
  // One more asset was requested.
  expect(statuses.filter((status) => status === 429)).toHaveLength(2 + 3);
  const refused = await fetch(`${url}/docs`);
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect(await refused.text()).toMatch(
    /^Your address sent too many requests\. Wait (a second|\d+ seconds) and try again\.\n$/,
  );
  const page = await (await fetch(`${url}/docs`, { headers: { Accept: "text/html" } })).text();
  expect(page).toMatch(/<h1>Too many requests<\/h1>\s*<p>Your address[^]*<a href="">Try again/);
  // The page is the same for signed-in people.
  expect(page).not.toContain("Sign in");
  expect((await fetch(`${url}/livez`)).status).toBe(200);
});

/** Serves the system routes alone, with some options, and returns the address. */
function serveRoutes(options: Partial<SystemRoutesOptions>): Promise<string> {
  const routes = createSystemRoutes({
    baseUrl: "http://localhost",
    appUrl: "http://localhost",
    ping: async () => {},
    isClosing: () => false,
    collectMetrics: async () => ({ type: "text/plain", body: "" }),
    metricsToken: undefined,
    counters: createMemoryCounterFactory(),
    readClientAddress: () => "127.0.0.1",
    reserveMemory: () => {},
    ...options,
  });
  const router = Router();
  router.use(routes);
  router.use(createErrorHandler(() => {}));
  return startServer((request, response) => router(request, response, () => {}));
}

test("pages and documents get 503 with Retry-After while too many requests are in progress", async () => {
  const url = await serveRoutes({
    reserveMemory() {
      throw new BusyError("Try again later.");
    },
  });
  const response = await fetch(`${url}/docs`);
  const { status, headers } = response;
  expect([status, headers.get("Retry-After"), await response.text()]).toEqual([
    503,
    "5",
    "Try again later.\n",
  ]);
});

test("an unexpected error is logged once and gets 500, and its message is not in the response", async () => {
  const logged: string[] = [];
  const { service, url } = await serve({ logger: pino({}, { write: (line) => void logged.push(line) }) });
  const fail = (): never => {
    throw new URIError("secret");
  };
  for (const [path, createSpy] of [
    ["/metrics", () => vi.spyOn(service.store, "stats").mockImplementation(fail)],
    ["/assets/app.css", () => vi.spyOn(MemoryBudget.prototype, "reserve").mockImplementation(fail)],
    ["/page", () => vi.spyOn(MemoryBudget.prototype, "reserve").mockImplementation(fail)],
    // Fails in the web application, but not for the response to that failure.
    ["/reset/token", () => vi.spyOn(Negotiator.prototype, "mediaType").mockImplementationOnce(fail)],
  ] as const) {
    for (const accept of ["text/html", "application/json"]) {
      logged.length = 0;
      const spy = createSpy();
      const response = await fetch(url + path, { headers: { accept } });
      spy.mockRestore();
      expect([path, accept, response.status]).toEqual([path, accept, 500]);
      const text = await response.text();
      expect(text).toContain("The service logged this error.");
      expect(text).not.toContain("secret");
      expect(logged.map((line): unknown => JSON.parse(line))).toEqual([
        expect.objectContaining({
          method: "GET",
          path: path.replace("token", "..."),
          err: expect.objectContaining({ message: "secret" }),
          msg: "page failed",
        }),
      ]);
    }
  }
});

test("metrics are not readable from another machine", async () => {
  const url = await serveRoutes({ readClientAddress: () => "192.0.2.1" });
  const response = await fetch(`${url}/metrics`, { headers: { Accept: "text/html" } });
  // Trying again does not help.
  expect([response.status, await response.text()]).toEqual([
    403,
    expect.stringContaining('<a href="/">Go to the start page</a>'),
  ]);
});

test("while the service stops, /readyz says so", async () => {
  const response = await fetch(`${await serveRoutes({ isClosing: () => true })}/readyz`);
  expect([response.status, await response.text()]).toEqual([503, "shutting down\n"]);
});

test("requests for pages and documents take memory of the network of their client", async () => {
  const clients: string[] = [];
  const url = await serveRoutes({
    readClientAddress: () => "2001:db8:1:2::3",
    reserveMemory: (client) => clients.push(client),
  });
  await fetch(`${url}/openapi.json`);
  expect(clients).toEqual(["2001:db8:1::/48"]);
});

test("a request for a document whose body is malformed gets one response", async () => {
  const logged: string[] = [];
  const { url } = await serve({ logger: pino({}, { write: (line) => void logged.push(line) }) });
  const head = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
  expect(await raw(url, [`${head}zz\r\n`])).toMatch(/^HTTP\/1\.1 400 /);
  // Sent after the response to the first request would have been.
  await fetch(`${url}/openapi.json`);
  expect(logged.filter((line) => line.includes("page failed"))).toEqual([]);
});

test("without a policy for new accounts they need an invitation", async () => {
  const { url } = await serve();
  expect(await (await fetch(`${url}/sign-up`)).text()).toContain("<h1>Registration is by invitation</h1>");
});
