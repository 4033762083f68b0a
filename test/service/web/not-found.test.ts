import { expect, test } from "vitest";
import { prefersHtml } from "../../../src/web/app.js";
import { Visitor } from "../../support/visitor.js";
import { startWeb } from "./visitors.js";

/** The Accept header of browsers. */
const CHROMIUM =
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8";

test("a browser gets a page with links for an unknown path and stays signed in", async () => {
  const web = await startWeb();
  const ada = await web.member("Ada");
  for (const path of ["/page", "/settings/api/", "/V1/pages", "/v2/pages?a=1", "/assets/app.js.map"]) {
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
});

test("programs, other methods and API paths get JSON errors", async () => {
  const web = await startWeb();
  const visitor = new Visitor(web.url);
  const asked: [string, string, string?][] = [
    ["GET", "/page"],
    ["GET", "/page", "application/json"],
    ["GET", "/page", "text/html;q=0.5, application/json"],
    ["POST", "/page", CHROMIUM],
    ["DELETE", "/settings/api", CHROMIUM],
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
])("Accept: %s", (accept, expected) => {
  expect(prefersHtml({ headers: accept === undefined ? {} : { accept } })).toBe(expected);
});
