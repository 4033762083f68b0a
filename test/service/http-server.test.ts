import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { MAX_PIPELINED_REQUESTS } from "../../src/budgets.js";
import { createHttpServer } from "../../src/service/http-server.js";

const IDLE_TIMEOUT_MS = 100;

/** Starts a server whose handler takes five times as long as the idle timeout. */
async function listen(): Promise<number> {
  const server = createHttpServer(
    (_, response) => {
      setTimeout(() => response.end("done"), 5 * IDLE_TIMEOUT_MS);
    },
    (_, response) => response.end(),
    () => undefined,
    IDLE_TIMEOUT_MS,
  );
  onTestFinished(() => server.close());
  return server.listen(0, "127.0.0.1");
}

test("a request whose handler takes longer than the idle timeout gets its response", async () => {
  const port = await listen();
  const response = await fetch(`http://127.0.0.1:${port}/`);
  expect(await response.text()).toBe("done");
});

test("a connection with too many pipelined requests is closed, and one with some gets all responses", async () => {
  const port = await listen();
  const sendRequests = async (count: number): Promise<string> => {
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.on("data", (chunk: Buffer) => (received += chunk.toString()));
    socket.on("error", () => {});
    const last = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(count - 1) + last);
    await new Promise((resolve) => socket.once("close", resolve));
    return received;
  };
  expect((await sendRequests(1 + MAX_PIPELINED_REQUESTS)).match(/done/g)).toHaveLength(
    1 + MAX_PIPELINED_REQUESTS,
  );
  expect(await sendRequests(2 + MAX_PIPELINED_REQUESTS)).not.toContain("done");
  expect(await sendRequests(100_000)).not.toContain("done");
});

test("a connection stays open for longer than load balancers reuse it", async () => {
  const response = await fetch(`http://127.0.0.1:${await listen()}/`);
  expect(response.headers.get("Keep-Alive")).toBe("timeout=75");
  await response.text();
});

test("an idle connection is closed", async () => {
  const port = await listen();
  const socket = connect(port, "127.0.0.1");
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
