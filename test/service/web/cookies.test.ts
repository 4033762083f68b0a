import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { createCookies } from "../../../src/web/cookies.js";

const TOKEN = "x".repeat(43);

test("a cookie that is not a token is ignored", () => {
  const { readSession, readVisitor, readDevice } = createCookies("http://localhost:3000");
  for (const [name, read, token] of [
    ["session", readSession, TOKEN],
    ["visitor", readVisitor, TOKEN],
    ["device", readDevice, `${TOKEN}.${TOKEN}`],
  ] as const) {
    // The cast: cookies are read from the headers alone.
    const readValue = (value: string) =>
      read({ headers: { cookie: `a=b; page-service-${name}=${value}` } } as IncomingMessage);
    expect(readValue(token)).toBe(token);
    for (const value of ["", `"${token}"`, token.slice(1), `${token}x`])
      expect([name, value, readValue(value)]).toEqual([name, value, undefined]);
  }
});
