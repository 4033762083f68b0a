import { expect, onTestFinished, test } from "vitest";
import { ProvisionError } from "../../src/access/checks.js";
import { createClientAddress } from "../../src/access/client-address.js";
import { ANONYMOUS_LIMIT } from "../../src/access/rate-limit.js";
import { createPageService } from "../../src/service.js";
import { hiddenFields, Visitor } from "../support/visitor.js";

/** A service that this machine is a proxy of, when it is said to be. */
async function start(trustedProxies: readonly string[]): Promise<string> {
  const service = await createPageService({ database: ":memory:", trustedProxies });
  onTestFinished(() => service.close());
  return `http://127.0.0.1:${await service.listen(0, "127.0.0.1")}`;
}

/** How many requests without a valid key an address has sent, by what the answer to the next one says. */
async function sentBy(url: string, forwarded: string): Promise<number> {
  const response = await fetch(`${url}/v1/users`, { headers: { "X-Forwarded-For": forwarded } });
  expect(response.status).toBe(401);
  return ANONYMOUS_LIMIT - Number(response.headers.get("X-RateLimit-Remaining"));
}

test("behind a trusted proxy callers are counted by the last address that is none of the proxies'", async () => {
  const url = await start(["loopback", "10.0.0.0/8"]);
  for (const [forwarded, count] of [
    ["203.0.113.7", 1],
    ["203.0.113.8", 1],
    ["203.0.113.7", 2],
    // What the caller says of itself does not help it, however it looks.
    ["198.51.100.1, 203.0.113.7", 3],
    ["127.0.0.1, 203.0.113.7", 4],
    [", 203.0.113.7", 5],
    // Two proxies.
    ["203.0.113.7, 10.1.2.3", 6],
    // One network of one customer.
    ["2001:db8::1", 1],
    ["2001:db8::2", 2],
    // No address: that of the proxy counts.
    ["unknown", 1],
    ["203.0.113.7:4711", 2],
    ["", 3],
  ] as const) {
    expect([forwarded, await sentBy(url, forwarded)]).toEqual([forwarded, count]);
  }
});

test("without a trusted proxy nobody's header is read", async () => {
  for (const trusted of [[], ["192.0.2.0/24"]]) {
    const url = await start(trusted);
    for (const count of [1, 2, 3]) expect(await sentBy(url, `203.0.113.${count}`)).toBe(count);
  }
});

test("who tries too often to sign up, or in, keeps nobody else behind the proxy from it", async () => {
  const url = await start(["127.0.0.1"]);
  const attempt = async (path: string, forwarded: string, email: string): Promise<number> => {
    const visitor = new Visitor(url);
    const hidden = hiddenFields(await (await visitor.get(path)).text(), path);
    const fields = { ...hidden, name: "Eve", email, password: "short" };
    return (await visitor.send(path, fields, { "X-Forwarded-For": forwarded })).status;
  };
  for (const path of ["/sign-up", "/sign-in"]) {
    for (let number = 0; number < 60; number += 1) await attempt(path, "203.0.113.7", "eve@example.org");
    expect(await attempt(path, "203.0.113.7", "mallory@example.org")).toBe(429);
    expect(await attempt(path, "203.0.113.8", "ada@example.org")).toBe(400);
    // Before there is an account the page to sign in leads to the other one.
    if (path === "/sign-up") expect((await new Visitor(url).signUp("Ada")).status).toBe(303);
  }
});

test.each(["proxy.example.org", "10.0.0.0/33", "everybody"])("%s is no proxy", (text) => {
  expect(() => createClientAddress([text])).toThrow(ProvisionError);
});
