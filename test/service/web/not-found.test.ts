import { expect, test } from "vitest";
import { Visitor } from "../../support/visitor.js";
import { startWeb } from "./visitors.js";
import { raw } from "../../toolkit/http/server.js";
import { prefersHtml } from "../../../src/web/response.js";

/** The Accept header of browsers. */
const CHROMIUM =
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8";

test("a browser gets a page with links for an unknown path and stays signed in", async () => {
  const web = await startWeb();
  const ada = await web.member("Ada");
  for (const path of [
    "/page",
    "/settings/api//",
    "//example.org/",
    "/%2fexample.org/",
    "/V1/pages",
    "/v2/pages?a=1",
    "/v10/pages",
    "/assets/app.js.map",
    "/%zz",
  ]) {
    const response = await ada.get(path, { Accept: CHROMIUM });
    expect(response.status, path).toBe(404);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    const text = await response.text();
    expect(text).toContain("<h1>Page not found</h1>");
    expect(text).toContain("Ada");
    for (const link of ["/settings/api", "/docs", "/readyz"]) expect(text).toContain(`<a href="${link}">`);
  }
  const head = await fetch(`${web.url}/page`, { method: "HEAD", headers: { Accept: CHROMIUM } });
  expect([head.status, await head.text()]).toEqual([404, ""]);
  expect((await ada.send("/page", {}, { Accept: CHROMIUM })).status).toBe(404);
});

test.each(["/join/garbage", `/join/${"a".repeat(42)}`, `/reset/${"a".repeat(43)}.`, "/join/"])(
  "a browser gets an explanation for the incomplete link %s",
  async (path) => {
    const { url } = await startWeb();
    const response = await new Visitor(url).get(path, { Accept: CHROMIUM });
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("<h1>This link is incomplete</h1>");
  },
);

test.each([
  ["DELETE", "/settings/api", "GET, HEAD"],
  ["POST", "/search", "GET, HEAD"],
  ["PUT", "/sign-in", "GET, HEAD, POST"],
  ["PUT", "/sign-out", "POST"],
])("a browser gets a page for %s %s, which names the supported methods", async (method, path, allowed) => {
  const { url } = await startWeb();
  const response = await fetch(url + path, { method, headers: { Accept: CHROMIUM } });
  expect([response.status, response.headers.get("allow")]).toEqual([405, allowed]);
  const text = await response.text();
  expect(text).toContain(`This page does not support ${method} requests.`);
  expect(text).toContain('<a href="/">Go to the start page</a>');
});

test.each([
  ["/settings/", "/settings"],
  ["/search/?q=tea", "/search?q=tea"],
])("a browser is redirected from %s, which has a slash too many, to %s", async (path, target) => {
  const { url } = await startWeb();
  const response = await fetch(url + path, { headers: { Accept: CHROMIUM }, redirect: "manual" });
  expect([response.status, response.headers.get("location")]).toEqual([303, target]);
});

test.each([
  ["/settings/api/keys", "/settings/api"],
  ["/settings/api/keys/00000000-0000-7000-8000-000000000000/rotate", "/settings/api"],
  ["/settings/members/invite", "/settings/members"],
  ["/settings/account/password", "/settings/account"],
  ["/trash/00000000-0000-7000-8000-000000000000/restore", "/trash"],
  ["/sign-out", "/"],
])("the address of a sent form, %s, leads to its page", async (path, page) => {
  const { url } = await startWeb();
  const response = await fetch(url + path, { redirect: "manual" });
  expect([response.status, response.headers.get("location")]).toEqual([303, page]);
});

test("a browser gets a page for an address or cookies that are too long", async () => {
  const { url } = await startWeb();
  for (const [path, cookie, accept, type] of [
    ["/?a", "b".repeat(20_000), CHROMIUM, "text/html; charset=utf-8"],
    [`/?${"a".repeat(20_000)}`, "b", CHROMIUM, "text/html; charset=utf-8"],
    ["/?a", "b".repeat(20_000), "*/*", "application/json; charset=utf-8"],
  ] as const) {
    const response = await fetch(url + path, { headers: { Accept: accept, Cookie: cookie } });
    expect([response.status, response.headers.get("content-type")]).toEqual([431, type]);
    const text = await response.text();
    expect(text).toMatch(type.startsWith("text") ? "delete the cookies of this site" : /"status":431/);
  }
  const head = `GET /v1/users HTTP/1.1\r\nHost: a\r\nAccept: ${CHROMIUM}\r\nCookie: ${"b".repeat(20_000)}\r\n\r\n`;
  expect(await raw(url, [head])).toMatch(/^HTTP\/1.1 431 [^]*"status":431/);
});

test("programs and API paths get JSON errors", async () => {
  const web = await startWeb();
  const visitor = new Visitor(web.url);
  const asked: [string, string, string?][] = [
    ["GET", "/page"],
    ["GET", "/page", "application/json"],
    ["GET", "/page", "text/html;q=0.5, application/json"],
    ["POST", "/page"],
    ["DELETE", "/settings/api"],
    ["GET", "/%zz"],
    ["GET", "/v1", CHROMIUM],
    ["GET", "/v1?a=1", CHROMIUM],
    ["GET", "/v1/", CHROMIUM],
    ["GET", "/v1/page", CHROMIUM],
    ["GET", "//v1/page", CHROMIUM],
  ];
  for (const [method, path, accept] of asked) {
    const headers: Record<string, string> = accept === undefined ? {} : { Accept: accept };
    const response = await fetch(web.url + path, { method, headers });
    expect(response.status, path).toBe(400);
    expect(await response.json(), path).toMatchObject({ object: "error", code: "invalid_request_url" });
  }
  // API paths require a key even if the client accepts HTML.
  expect((await visitor.get("/v1/users/me", { Accept: CHROMIUM })).status).toBe(401);
});

test.each([
  [undefined, false],
  ["", false],
  ["*/*", false],
  ["text/*", true],
  ["text/html", true],
  ["TEXT/HTML ; q=0.1", true],
  ["text/html;q=0", false],
  ["text/html;q=x", false],
  ["application/json, text/html", false],
  ["application/json;q=0.9, text/html", true],
  [CHROMIUM, true],
  // Only the beginning of a long header is read, because reading takes time proportional to the square of its length.
  [`${"text/plain,".repeat(100)}text/html`, false],
])("Accept: %s", (accept, expected) => {
  expect(prefersHtml({ headers: accept === undefined ? {} : { accept } })).toBe(expected);
});
