import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createConnectionLimit } from "../../src/service/connection-limit.js";

/** Starts a server, by default with two connections per client, and returns a function that opens one and waits for its end. */
async function listen(
  readClient: () => string | undefined,
  {
    maxConnections = 100,
    maxPerClient = 2,
    isIdle = () => true,
  }: { maxConnections?: number; maxPerClient?: number; isIdle?: (socket: Socket) => boolean } = {},
): Promise<() => Promise<{ socket: Socket; text: string }>> {
  const server = createServer();
  server.on("connection", createConnectionLimit(readClient, isIdle, maxConnections, maxPerClient));
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

/** Waits until one of several connections is closed. */
function waitForClose(sockets: readonly Socket[]): Promise<unknown> {
  return Promise.race(sockets.map((socket) => socket.destroyed || once(socket, "close")));
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

test("connections without a client are not replaced, although they are the most", async () => {
  const clients = [undefined, undefined, undefined, "one", "one", "two"];
  const open = await listen(() => clients.shift(), { maxConnections: 5 });
  const sockets: Socket[] = [];
  for (let count = 0; count < 5; count += 1) sockets.push((await open()).socket);
  expect((await open()).text).toBe("open");
  await waitForClose(sockets);
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false, false, true, false]);
});

test("if there are too many connections, a client with few replaces the oldest one of the client with the most", async () => {
  const clients = ["one", "two", "two", "three", "three", "four"];
  const open = await listen(() => clients.shift(), { maxConnections: 4 });
  const [one, old, two, three] = [await open(), await open(), await open(), await open()];
  expect(three.text).toBe("open");
  // A second connection would take one from a client that has as many.
  expect((await open()).text).toBe("");
  const closed = once(old.socket, "close");
  expect((await open()).text).toBe("open");
  await closed;
  expect([one, two, three].map(({ socket }) => socket.destroyed)).toEqual([false, false, false]);
});

test("idle connections are replaced before older ones with a request", async () => {
  const clients = ["one", "one", "one", "two", "two", "three", "four"];
  const busyPorts: unknown[] = [];
  const isIdle = ({ remotePort }: Socket): boolean => !busyPorts.includes(remotePort);
  const open = await listen(() => clients.shift(), { maxConnections: 5, maxPerClient: 3, isIdle });
  const sockets: Socket[] = [];
  for (let count = 0; count < 5; count += 1) sockets.push((await open()).socket);
  busyPorts.push(...[0, 1, 3, 4].map((index) => sockets[index]?.localPort));
  expect((await open()).text).toBe("open");
  await waitForClose(sockets);
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, false, true, false, false]);
  // Two clients have two connections each, which are busy.
  expect((await open()).text).toBe("open");
});
