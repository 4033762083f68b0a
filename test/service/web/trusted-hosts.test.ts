import { expect, test } from "vitest";
import { createTrustedHosts } from "../../../src/web/trusted-hosts.js";
import { raw } from "../../toolkit/http/server.js";
import { startWeb } from "./visitors.js";

const { isTrustedHost, isTrustedOrigin } = createTrustedHosts([
  "https://pages.example.org",
  "http://localhost:3000",
]);

test.each([
  ["pages.example.org", true],
  ["pages.example.org:8443", true],
  ["PAGES.example.org.", true],
  ["localhost:3000", true],
  ["127.0.0.1:4711", true],
  ["[::1]:3000", true],
  ["evil.example", false],
  ["localhost.evil.example", false],
  ["127.0.0.1.evil.example", false],
  ["192.168.1.5:3000", false],
  ["0.0.0.0:3000", false],
  ["a b", false],
  ["", false],
  [undefined, false],
])("Host: %s", (host, expected) => {
  expect(isTrustedHost(host)).toBe(expected);
});

test.each([
  ["https://pages.example.org", "pages.example.org", true],
  // Behind a proxy that changes the Host header.
  ["https://pages.example.org", "localhost:3000", true],
  ["http://127.0.0.1:3000", "127.0.0.1:3000", true],
  ["http://127.0.0.1:8080", "127.0.0.1:3000", false],
  ["https://evil.example", "localhost:3000", false],
  ["null", "localhost:3000", false],
])("Origin: %s at %s", (origin, host, expected) => {
  expect(isTrustedOrigin(origin, host)).toBe(expected);
});

test("pages under an unknown host name are refused (DNS rebinding)", async () => {
  const { url } = await startWeb();
  const form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\n";
  for (const request of [
    "GET / HTTP/1.1",
    "GET /sign-up HTTP/1.1",
    "POST /sign-up HTTP/1.1",
    "GET /x HTTP/1.1",
  ]) {
    const headers = `Host: evil.example:3000\r\nOrigin: http://evil.example:3000\r\nAccept: text/html\r\n${form}`;
    const response = await raw(url, [`${request}\r\n${headers}Connection: close\r\n\r\n`]);
    expect([request, response.split("\r\n")[0]]).toEqual([request, "HTTP/1.1 421 Misdirected Request"]);
    expect(response).not.toContain("Set-Cookie");
    expect(response).toContain('<a href="http://localhost:3000">Go to the start page</a>');
  }
});
