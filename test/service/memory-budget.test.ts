import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { connect as openSocket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { MAX_REQUEST_MEMORY_BYTES_PER_CLIENT } from "../../src/budgets.js";
import { MemoryBudget } from "../../src/service/memory-budget.js";
import { withDatabase } from "../contract/properties/fixture.js";

/** The parts of a response that a memory budget looks at. */
class FakeResponse extends EventEmitter {
  writableLength = 0;
  destroyed = false;
}

const LIMITS = { total: 100, perClient: 60 };

function reserve(
  budget: MemoryBudget,
  client: string,
  bytes: number,
  response = new FakeResponse(),
): FakeResponse {
  // The cast: these are the only members that are used.
  budget.reserve(client, bytes, response as unknown as ServerResponse);
  return response;
}

test("a client that uses its limit is refused until its responses are closed; others are not", () => {
  const budget = new MemoryBudget(LIMITS);
  const responses = [reserve(budget, "a", 30), reserve(budget, "a", 30)];
  expect(() => reserve(budget, "a", 1)).toThrow("Too many large requests are in progress");
  reserve(budget, "b", 30).emit("close");
  for (const response of responses) response.emit("close");
  reserve(budget, "a", 60);
});

test("a request counts what is unread of its response in place of its body", () => {
  const budget = new MemoryBudget(LIMITS);
  const response = reserve(budget, "a", 60);
  response.writableLength = 10;
  response.emit("prefinish");
  reserve(budget, "a", 50);
  expect(() => reserve(budget, "a", 1)).toThrow("Too many large requests");
});

test("a response that is closed already reserves nothing", () => {
  const budget = new MemoryBudget(LIMITS);
  const response = Object.assign(new FakeResponse(), { destroyed: true });
  reserve(budget, "a", 60, response);
  reserve(budget, "a", 60);
});

test("when the total is used up, a client can use its share", () => {
  const budget = new MemoryBudget(LIMITS);
  reserve(budget, "a", 60);
  reserve(budget, "b", 40);
  expect(() => reserve(budget, "b", 20)).toThrow("The service has too many requests in progress");
  reserve(budget, "c", 30);
});

test("a workspace whose large responses are not read gets 503 with Retry-After, and others get theirs", async () => {
  const text = { rich_text: Array.from({ length: 100 }, () => ({ text: { content: "x".repeat(2000) } })) };
  const { addPage, databaseId, baseUrl, key, connect, send } = await withDatabase({
    Name: { title: {} },
    Text: { rich_text: {} },
  });
  for (let count = 0; count < 20; count += 1) await addPage({ Text: text });
  const { hostname, port } = new URL(baseUrl);
  const query = `/v1/databases/${databaseId}/query`;
  for (let count = 0; count < 30; count += 1) {
    const socket = openSocket(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.pause();
    socket.write(
      `POST ${query} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n` +
        "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
    );
  }
  await expect.poll(async () => (await send("GET", "/v1/users/me")).status).toBe(503);
  const refused = await send("POST", query, {});
  expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "5"]);
  expect(await refused.json()).toMatchObject({ code: "service_unavailable" });
  const other = await connect();
  expect((await other.client.listUsers()).status).toBe(200);
  expect(30 * 10_000_000).toBeGreaterThan(MAX_REQUEST_MEMORY_BYTES_PER_CLIENT);
});
