import { once } from "node:events";
import { createServer, IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, connect as openSocket, Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import {
  MAX_BODY_BYTES,
  MAX_REQUEST_MEMORY_BYTES_PER_CLIENT,
  MEMORY_BYTES_PER_BODY_BYTE,
  REQUEST_MEMORY_BYTES,
} from "../../src/budgets.js";
import { MB } from "../../src/units.js";
import { MemoryBudget } from "../../src/service/memory-budget.js";
import { withDatabase } from "../contract/properties/fixture.js";
import { connect } from "../support/contract.js";
import { newLocation } from "../support/stores.js";

const LIMITS = { totalBytes: 100, bytesPerClient: 60, unreadBytes: 100 };

/** Creates a response without a connection, which buffers everything that is written to it. */
function createResponse(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()));
}

function reserve(
  budget: MemoryBudget,
  client: string,
  bytes: number,
  response = createResponse(),
): ServerResponse {
  budget.reserve(client, bytes, response);
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

test("a request with a response reserves the unread part of the response instead of its body", () => {
  const budget = new MemoryBudget({ totalBytes: 10_000, bytesPerClient: 6000, unreadBytes: 10_000 });
  const response = reserve(budget, "a", 6000);
  response.write("unread");
  response.emit("prefinish");
  expect(response.writableLength).toBeGreaterThan(0);
  reserve(budget, "a", 6000 - response.writableLength);
  expect(() => reserve(budget, "a", 1)).toThrow("Too many large requests");
});

test("a client that leaves uses its memory until its write is done", async () => {
  const budget = new MemoryBudget(LIMITS);
  for (const end of ["succeeds", "fails"]) {
    const response = createResponse();
    const keepReserved = budget.reserve("a", 60, response);
    let settle = (): void => {};
    const work = keepReserved(
      new Promise<void>((resolve, reject) => (settle = end === "fails" ? reject : resolve)),
    );
    response.emit("close");
    expect(() => reserve(budget, "a", 1)).toThrow("Too many large requests are in progress");
    settle();
    await work.catch(() => {});
    reserve(budget, "a", 60).emit("close");
  }
});

test("a closed response reserves nothing", () => {
  const budget = new MemoryBudget(LIMITS);
  reserve(budget, "a", 60, createResponse().destroy());
  reserve(budget, "a", 60);
});

test("when the total is exhausted, a client can use its share", () => {
  const budget = new MemoryBudget(LIMITS);
  // Clients without requests in progress have no share.
  for (const client of ["x", "y"]) reserve(budget, client, 1).emit("close");
  reserve(budget, "a", 60);
  reserve(budget, "b", 40);
  expect(() => reserve(budget, "b", 20)).toThrow("The service has too many requests in progress");
  // The new client is one of three.
  expect(() => reserve(budget, "c", 34)).toThrow("The service has too many requests in progress");
  reserve(budget, "c", 33);
});

test("too many unread responses are closed, the largest of the client with the most first, but not the newest", async () => {
  const limits = { totalBytes: 1000 * MB, bytesPerClient: 1000 * MB, unreadBytes: 100 * MB };
  const budget = new MemoryBudget(limits);
  const closed: string[] = [];
  const server = createServer((request, response) => {
    const [, client = "", megabytes] = request.url?.split("/") ?? [];
    budget.reserve(client, 0, response);
    response.once("close", () => closed.push(`${client} ${megabytes}`));
    response.end(Buffer.alloc(Number(megabytes) * MB));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  // The cast: the server listens on a port.
  const { port } = server.address() as AddressInfo;
  const request = async (client: string, megabytes: number): Promise<void> => {
    const socket = openSocket(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.write(`GET /${client}/${megabytes} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await once(server, "request");
  };
  await request("a", 35);
  await request("a", 25);
  await request("b", 38);
  // The kernel takes a few megabytes of each response.
  await request("c", 30);
  await expect.poll(() => closed).toEqual(["a 35"]);
  await request("d", 40);
  await expect.poll(() => closed).toEqual(["a 35", "b 38"]);
});

test("a request body of unknown length counts as the longest body", async () => {
  const { baseUrl, key } = await connect();
  const { hostname, port } = new URL(baseUrl);
  const count = Math.ceil(
    MAX_REQUEST_MEMORY_BYTES_PER_CLIENT / (MEMORY_BYTES_PER_BODY_BYTE * MAX_BODY_BYTES),
  );
  let received = "";
  for (let index = 0; index < count; index += 1) {
    const socket = openSocket(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.on("data", (chunk: Buffer) => (received += chunk.toString()));
    socket.write(
      `POST /v1/search HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n` +
        "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
  }
  await expect.poll(() => received).toContain("HTTP/1.1 503");
});

test("clients that leave while their writes wait cannot fill the memory with bodies", async () => {
  const { baseUrl, key, service, workspaceId, rootDatabaseId, send } = await connect({
    database: await newLocation(),
  });
  const { hostname, port } = new URL(baseUrl);
  let endWrite = (): void => {};
  const blocking = service.store.write(
    workspaceId,
    async () => new Promise<void>((resolve) => (endWrite = resolve)),
  );
  onTestFinished(() => endWrite());
  const page = { parent: { database_id: rootDatabaseId }, properties: {} };
  const body = JSON.stringify(page).padEnd(MAX_BODY_BYTES);
  const maxWaiting = Math.floor(
    MAX_REQUEST_MEMORY_BYTES_PER_CLIENT /
      (MEMORY_BYTES_PER_BODY_BYTE * MAX_BODY_BYTES + REQUEST_MEMORY_BYTES),
  );
  for (let count = 1; count <= maxWaiting; count += 1) {
    const socket = openSocket(Number(port), hostname);
    socket.write(
      `POST /v1/pages HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await expect.poll(() => service.store.stats().writesWaiting).toBe(count);
    socket.destroy();
  }
  // A read, which does not wait for the write.
  const search = async (): Promise<number> =>
    (await send("POST", "/v1/search", "{}".padEnd(MAX_BODY_BYTES))).status;
  await expect.poll(search).toBe(503);
  endWrite();
  await blocking;
  await expect.poll(search).toBe(200);
});

test("a workspace that does not read its large responses gets 503 with Retry-After, and others get responses", async () => {
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
