import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect as openSocket, type Socket } from "node:net";
import { existsSync, readFileSync } from "node:fs";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { KEEP_ALIVE_TIMEOUT_MS, MAX_PIPELINED_REQUESTS } from "../../src/budgets.js";
import { awaitEventLoopTurn } from "../../src/operations/execution/event-loop-turns.js";
import { createHttpServer } from "../../src/service/http-server.js";
import { connect } from "../support/contract.js";
import { testUnless } from "../support/requirements.js";

const IDLE_TIMEOUT_MS = 100;

/** Starts a server whose handler takes five times as long as the idle timeout, or another time. */
async function listen({
  delayMs = 5 * IDLE_TIMEOUT_MS,
  maxConnections = 100,
  maxPipelinedRequests = 1000,
} = {}): Promise<number> {
  const server = createHttpServer(
    (_, response) => {
      setTimeout(() => response.end("done"), delayMs);
    },
    (_, response) => response.end(),
    () => undefined,
    { idleTimeoutMs: IDLE_TIMEOUT_MS, maxConnections, maxPipelinedRequests },
  );
  onTestFinished(() => server.close());
  return server.listen(0, "127.0.0.1");
}

test("a request whose handler takes longer than the idle timeout gets its response", async () => {
  const port = await listen();
  const response = await fetch(`http://127.0.0.1:${port}/`);
  expect(await response.text()).toBe("done");
});

test("a connection whose client does not read its response is closed", async () => {
  let onClose = (): void => {};
  const closed = new Promise<void>((resolve) => (onClose = resolve));
  const server = createHttpServer(
    (_, response) => void response.once("close", onClose).end(Buffer.alloc(50_000_000)),
    (_, response) => response.end(),
    () => undefined,
    { idleTimeoutMs: IDLE_TIMEOUT_MS },
  );
  onTestFinished(() => server.close());
  const socket = openSocket(await server.listen(0, "127.0.0.1"), "127.0.0.1").pause();
  onTestFinished(() => void socket.destroy());
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await closed;
});

/** The longest queue of new connections that the kernel allows; 0 where it is unknown. */
const SOMAXCONN = "/proc/sys/net/core/somaxconn";
const maxBacklog = existsSync(SOMAXCONN) ? Number(readFileSync(SOMAXCONN, "utf8")) : 0;

testUnless(maxBacklog < 2000 ? "The kernel allows no 2,000 new connections." : undefined)(
  "1,000 connections that arrive in one turn of the event loop are accepted at once",
  async () => {
    const port = await listen({ maxConnections: 2000 });
    const sockets = Array.from({ length: 1000 }, () => openSocket(port, "127.0.0.1"));
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    // The kernel would drop those that do not fit into its queue, and their clients would try again a second later.
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    expect(sockets.filter(({ connecting }) => connecting)).toHaveLength(0);
  },
);

test("long work waits while connections are accepted, because each turn of the event loop accepts only one", async () => {
  let accepted = 0;
  const server = createHttpServer(
    (_, response) => response.end(),
    (_, response) => response.end(),
    () => {
      accepted += 1;
      return undefined;
    },
  );
  onTestFinished(() => server.close());
  const port = await server.listen(0, "127.0.0.1");
  const sockets = Array.from({ length: 100 }, () => openSocket(port, "127.0.0.1"));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  let turnsOfWork = 0;
  while (accepted < sockets.length) {
    await awaitEventLoopTurn("workspace");
    turnsOfWork += 1;
  }
  expect(turnsOfWork).toBeLessThan(20);
});

/** Sends pipelined requests on one connection, and returns what the server sends until the connection is closed. */
async function sendPipelined(port: number, count: number): Promise<string> {
  const socket = openSocket(port, "127.0.0.1");
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString()));
  socket.on("error", () => {});
  const last = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(count - 1) + last);
  await new Promise((resolve) => socket.once("close", resolve));
  return received;
}

test("a connection with too many pipelined requests is closed, and one with some gets all responses", async () => {
  const port = await listen({ delayMs: 10 });
  const most = 1 + MAX_PIPELINED_REQUESTS;
  expect((await sendPipelined(port, most)).match(/done/g)).toHaveLength(most);
  expect(await sendPipelined(port, most + 1)).not.toContain("done");
  expect(await sendPipelined(port, 100_000)).not.toContain("done");
});

test("all connections together have a limit of pipelined requests, which closed connections give back", async () => {
  const port = await listen({ delayMs: 200, maxPipelinedRequests: 10 });
  const first = sendPipelined(port, 8);
  await sleep(50);
  expect(await sendPipelined(port, 8)).not.toContain("done");
  expect((await first).match(/done/g)).toHaveLength(8);
  for (let round = 0; round < 3; round += 1) {
    expect(await sendPipelined(port, 12)).not.toContain("done");
  }
  expect((await sendPipelined(port, 11)).match(/done/g)).toHaveLength(11);
});

test("connections beyond the limit are closed", async () => {
  const port = await listen({ maxConnections: 1 });
  const first = sendPipelined(port, 1);
  expect(await sendPipelined(port, 1)).toBe("");
  expect(await first).toContain("done");
});

test("beyond the limit, an idle connection is closed instead of one that waits for a response", async () => {
  const clients = ["one", "one", "two"];
  const responses: ServerResponse[] = [];
  const server = createHttpServer(
    (_, response) => void responses.push(response),
    (_, response) => response.end(),
    () => clients.shift(),
    { maxConnections: 2 },
  );
  onTestFinished(() => server.close());
  const port = await server.listen(0, "127.0.0.1");
  const open = (): Socket => {
    const socket = openSocket(port, "127.0.0.1")
      .on("error", () => {})
      .resume();
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  const busy = open();
  busy.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(2));
  await expect.poll(() => responses).toHaveLength(1);
  responses[0]?.end();
  // The second, pipelined request remains.
  await expect.poll(() => responses).toHaveLength(2);
  const idle = open();
  await once(idle, "connect");
  open();
  await Promise.race([once(idle, "close"), once(busy, "close")]);
  expect([busy.destroyed, idle.destroyed]).toEqual([false, true]);
});

test("a connection stays open for longer than load balancers reuse it", async () => {
  const response = await fetch(`http://127.0.0.1:${await listen()}/`);
  expect(response.headers.get("Keep-Alive")).toBe("timeout=75");
  await response.text();
});

test("closing does not wait for the keep-alive of a connection whose request was refused before its end", async () => {
  const { service, send } = await connect();
  const body = { query: "x".repeat(500_000) };
  const response = await send("POST", "/v1/search", body, { Authorization: "Bearer unknown" });
  const start = performance.now();
  await service.close();
  expect(response.status).toBe(401);
  expect(performance.now() - start).toBeLessThan(KEEP_ALIVE_TIMEOUT_MS / 2);
});

test("an idle connection is closed", async () => {
  const port = await listen();
  const socket = openSocket(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.resume();
  socket.write("GET / HTTP/1.1\r\nHost:");
  await Promise.race([
    // Not once(), which rejects when the server resets the connection.
    new Promise((resolve) => socket.once("close", resolve)),
    sleep(10_000).then(() => {
      throw new Error("The connection is still open after 10 seconds.");
    }),
  ]);
});
