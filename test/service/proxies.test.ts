import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { UserError } from "../../src/errors.js";
import { freezeClock } from "../support/clock.js";
import { createProxyHeaderReader } from "../../src/access/limits/client-address.js";
import { MAX_ANONYMOUS_REQUESTS_PER_MINUTE, MAX_CONNECTIONS_PER_ADDRESS } from "../../src/budgets.js";
import { createPageService } from "../../src/service.js";
import { readHiddenFields, Visitor } from "../support/visitor.js";

/** Starts a service with trusted proxies. */
async function start(trustedProxies: readonly string[]): Promise<string> {
  const service = await createPageService({ database: ":memory:", trustedProxies, registration: "open" });
  onTestFinished(() => service.close());
  return `http://127.0.0.1:${await service.listen(0, "127.0.0.1")}`;
}

/** Sends a request without a valid key, and returns the number of such requests of its address. */
async function countRequests(url: string, forwarded: string): Promise<number> {
  const response = await fetch(`${url}/v1/users`, { headers: { "X-Forwarded-For": forwarded } });
  expect(response.status).toBe(401);
  return MAX_ANONYMOUS_REQUESTS_PER_MINUTE - Number(response.headers.get("X-RateLimit-Remaining"));
}

test("behind a trusted proxy requests are counted by the last untrusted address of X-Forwarded-For", async () => {
  const url = await start(["loopback", "10.0.0.0/8"]);
  for (const [forwarded, count] of [
    ["203.0.113.7", 1],
    ["203.0.113.8", 1],
    ["203.0.113.7", 2],
    // Ignores addresses that the client adds, in any form.
    ["198.51.100.1, 203.0.113.7", 3],
    ["127.0.0.1, 203.0.113.7", 4],
    [", 203.0.113.7", 5],
    // Uses the address before two proxies.
    ["203.0.113.7, 10.1.2.3", 6],
    // Does not check thousands of addresses, each of which takes time.
    [`203.0.113.7${", 10.1.2.3".repeat(20)}`, 1],
    // Counts by network of one customer.
    ["2001:db8::1", 1],
    ["2001:db8::2", 2],
    // Uses the address of the proxy without a valid address.
    ["unknown", 1],
    ["203.0.113.7:4711", 2],
    ["", 3],
  ] as const) {
    expect([forwarded, await countRequests(url, forwarded)]).toEqual([forwarded, count]);
  }
});

test("without a trusted proxy X-Forwarded-For is ignored", async () => {
  for (const trusted of [[], ["192.0.2.0/24"]]) {
    const url = await start(trusted);
    for (const count of [1, 2, 3]) expect(await countRequests(url, `203.0.113.${count}`)).toBe(count);
  }
});

test("too many attempts of one client do not block others behind the same proxy", async () => {
  const url = await start(["127.0.0.1"]);
  freezeClock();
  const attempt = async (path: string, forwarded: string, email: string): Promise<number> => {
    const visitor = new Visitor(url);
    const hidden = readHiddenFields(await (await visitor.get(path)).text(), path);
    const fields = { ...hidden, name: "Eve", email, password: "short" };
    return (await visitor.send(path, fields, { "X-Forwarded-For": forwarded })).status;
  };
  for (const path of ["/sign-up", "/sign-in"]) {
    for (let number = 0; number < 60; number += 1) await attempt(path, "203.0.113.7", "eve@example.org");
    expect(await attempt(path, "203.0.113.7", "mallory@example.org")).toBe(429);
    expect(await attempt(path, "203.0.113.8", "ada@example.org")).toBe(400);
    // Creates an account, because without one /sign-in redirects to /sign-up.
    if (path === "/sign-up") expect((await new Visitor(url).signUp("Ada")).status).toBe(303);
  }
});

test.each([
  [[], "closed"],
  [["loopback"], "open"],
])(
  "with the trusted proxies %j, a connection of this machine beyond the limit is %s",
  async (proxies, state) => {
    const { port, hostname } = new URL(await start(proxies));
    const open = (): Socket => {
      const socket = connect(Number(port), hostname).on("error", () => {});
      onTestFinished(() => void socket.destroy());
      return socket;
    };
    const sockets = Array.from({ length: MAX_CONNECTIONS_PER_ADDRESS }, open);
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    const last = open();
    last.write("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const outcome = new Promise((resolve) => {
      last.once("data", () => resolve("open")).once("close", () => resolve("closed"));
    });
    expect(await outcome).toBe(state);
  },
);

test.each(["proxy.example.org", "10.0.0.0/33", "everybody"])("%s is not accepted as a proxy", (text) => {
  expect(() => createProxyHeaderReader([text])).toThrow(UserError);
});
