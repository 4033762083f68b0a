import { once } from "node:events";
import { IncomingMessage, ServerResponse } from "node:http";
import { connect, Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { MAX_REQUESTS_PER_TURN } from "../../src/budgets.js";
import { createRequestScheduler } from "../../src/service/request-scheduler.js";
import { startServer } from "../support/server.js";

/** Starts a server. Returns its port, and the clients of the requests that it has handled, in order. */
async function listen() {
  const handled: string[] = [];
  const readClient = ({ headers }: { headers: NodeJS.Dict<string | string[]> }) => String(headers.client);
  const handle = createRequestScheduler((request, response) => {
    handled.push(readClient(request));
    response.end("done");
  }, readClient);
  return { port: Number(new URL(await startServer(handle)).port), handled };
}

async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {}).resume();
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

function sendRequest(socket: Socket, client: string): void {
  socket.write(`GET / HTTP/1.1\r\nHost: a\r\nClient: ${client}\r\n\r\n`);
}

/** Opens connections, and returns them when the server has handled a request of each. */
async function openSockets(
  server: { readonly port: number; readonly handled: string[] },
  count: number,
): Promise<Socket[]> {
  const sockets = await Promise.all(Array.from({ length: count }, () => openSocket(server.port)));
  for (const socket of sockets) sendRequest(socket, "first");
  await expect.poll(() => server.handled.length).toBe(count);
  server.handled.length = 0;
  return sockets;
}

test("requests of a client with many connections do not delay a request of another one", async () => {
  const server = await listen();
  const sockets = await openSockets(server, 20 * MAX_REQUESTS_PER_TURN);
  // Written in one turn, so that all of them have arrived when the server reads the first one.
  for (const [index, socket] of sockets.entries()) {
    sendRequest(socket, index === sockets.length - 1 ? "modest" : "greedy");
  }
  await expect.poll(() => server.handled.length).toBe(sockets.length);
  expect(server.handled.indexOf("modest")).toBeLessThan(sockets.length / 2);
});

test("waiting requests whose clients have left are not handled", async () => {
  const handled: IncomingMessage[] = [];
  const handle = createRequestScheduler(
    (request) => handled.push(request),
    () => "a",
  );
  const responses = Array.from({ length: MAX_REQUESTS_PER_TURN + 2 }, () => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    handle(response.req, response);
    return response;
  });
  responses.at(-2)?.destroy();
  await expect.poll(() => handled.at(-1) === responses.at(-1)?.req).toBe(true);
  expect(handled).toHaveLength(MAX_REQUESTS_PER_TURN + 1);
});

test("the first steps of a waiting request end before the next one begins", async () => {
  const steps: string[] = [];
  let count = 0;
  const runSteps = async (): Promise<void> => {
    count += 1;
    const name = String(count);
    steps.push(name);
    await Promise.resolve();
    steps.push(name);
  };
  const handle = createRequestScheduler(
    () => void runSteps(),
    () => "a",
  );
  for (let index = 0; index < MAX_REQUESTS_PER_TURN + 3; index += 1) {
    const request = new IncomingMessage(new Socket());
    handle(request, new ServerResponse(request));
  }
  await expect.poll(() => steps.length).toBe(2 * (MAX_REQUESTS_PER_TURN + 3));
  const waiting = [1, 2, 3].map((index) => String(MAX_REQUESTS_PER_TURN + index));
  expect(steps.slice(-6)).toEqual(waiting.flatMap((name) => [name, name]));
});
