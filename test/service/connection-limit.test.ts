import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createConnectionLimit } from "../../src/service/connection-limit.js";

/** Starts a server with two connections per client, and returns a function that opens one and waits for its end. */
async function listen(
  readClient: () => string | undefined,
  maxConnections = 100,
): Promise<() => Promise<{ socket: Socket; text: string }>> {
  const server = createServer();
  server.on("connection", createConnectionLimit(readClient, maxConnections, 2));
  server.on("connection", (socket) => {
    socket.on("error", () => {});
    if (!socket.destroyed) socket.write("open");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return async () => {
    // The cast: the server listens on a TCP port.
    const socket = connect((server.address() as { port: number }).port, "127.0.0.1");
    socket.on("error", () => {});
    onTestFinished(() => void socket.destroy());
    let text = "";
    socket.on("data", (data: Buffer) => (text += data.toString()));
    await Promise.race([once(socket, "data"), once(socket, "close")]);
    return { socket, text };
  };
}

test("a client has a limited number of open connections", async () => {
  const open = await listen(() => "client");
  const [first, second, third] = [await open(), await open(), await open()];
  expect([first.text, second.text, third.text]).toEqual(["open", "open", ""]);
  first.socket.destroy();
  await expect.poll(async () => (await open()).text).toBe("open");
});

test("the limit does not apply to a connection without a client, such as that of a trusted proxy", async () => {
  const open = await listen(() => undefined);
  for (let count = 0; count < 3; count += 1) expect((await open()).text).toBe("open");
});

test("if there are too many connections, a client with few replaces the oldest one of the client with the most", async () => {
  const clients = ["one", "two", "two", "three", "three", "four"];
  const open = await listen(() => clients.shift(), 4);
  const [one, old, two, three] = [await open(), await open(), await open(), await open()];
  expect(three.text).toBe("open");
  // A second connection would take one from a client that has as many.
  expect((await open()).text).toBe("");
  const closed = once(old.socket, "close");
  expect((await open()).text).toBe("open");
  await closed;
  expect([one, two, three].map(({ socket }) => socket.destroyed)).toEqual([false, false, false]);
});
