import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { answerMalformedRequests } from "../../../src/http/malformed-request.js";
import { raw } from "./server.js";

const HEAD = "GET / HTTP/1.1\r\nHost: a\r\n";

/** Timeouts for tests of requests that never end. Other tests have none, because a busy machine can exceed them. */
const SHORT_TIMEOUTS = { headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 20 };

/** A server that says what it makes of each request: "refused: why", or "read" and the length of the body. */
async function start(timeouts: ServerOptions = {}): Promise<{ url: string; read: string[] }> {
  const read: string[] = [];
  const server = createServer({ requireHostHeader: false, ...timeouts }, (request, response) => {
    if (response.socket === null) response.once("socket", () => void handle(request, response));
    else void handle(request, response);
  });
  const isMalformed = answerMalformedRequests(server, (_, response, { status, message }) => {
    response.writeHead(status, { "Content-Length": message.length + 9 }).end(`refused: ${message}`);
  });
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isMalformed(request, response)) return;
    let length = 0;
    try {
      for await (const chunk of request) length += String(chunk).length;
      await sleep(20);
    } catch {
      return;
    }
    read.push(`${request.method} ${length}`);
    response.end(`read: ${length}`);
  }
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
  return { url: `http://127.0.0.1:${address.port}`, read };
}

function statuses(answer: string): string[] {
  return [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = ""]) => status);
}

describe("what HTTP does not let a server read is answered in full, and the connection closed", () => {
  test.each([
    ["no request at all", "400", "GARBAGE\r\n\r\n"],
    ["a method that there is not", "400", "FOO / HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["a name with a space", "400", `${HEAD}A B: c\r\n\r\n`],
    ["a length and chunks", "400", `${HEAD}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`],
    ["an address of 40 KB", "431", `GET /?${"a=1&".repeat(10_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ["a header of 40 KB", "431", `${HEAD}A: ${"a".repeat(40_000)}\r\n\r\n`],
    ["a head that does not end", "408", HEAD],
    ["a body that does not end", "408", `${HEAD}Content-Length: 9\r\n\r\nabc`],
    ["a chunk without a length", "400", `${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`],
    [
      "a chunk with 40 KB beside its length",
      "413",
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n1;${"a".repeat(40_000)}\r\n`,
    ],
  ])("%s: %s", async (_, status, request) => {
    const { url, read } = await start(status === "408" ? SHORT_TIMEOUTS : {});
    const answer = await raw(url, [request]);
    expect(statuses(answer)).toEqual([status]);
    expect(answer).toMatch(/\r\nConnection: close\r\n/);
    expect(answer).toMatch(/\r\n\r\nrefused: .+\.$/);
    expect(read).toEqual([]);
  });
});

test("what goes on in pieces after it is no second request, and no second answer", async () => {
  const { url, read } = await start();
  const answer = await raw(url, ["GARBAGE\r\n\r\n", `${HEAD}\r\n`, `${HEAD}\r\n`]);
  expect(statuses(answer)).toEqual(["400"]);
  expect(read).toEqual([]);
});

test("a client that reads only after it has sent more gets the answer", async () => {
  const { url } = await start();
  const socket = connect(Number(new URL(url).port), "127.0.0.1").pause();
  const events: string[] = [];
  socket.on("error", ({ message }) => events.push(message));
  for (const piece of ["GARBAGE\r\n\r\n", "x".repeat(1000), "x".repeat(1000), ""]) {
    socket.write(piece);
    await sleep(20);
  }
  socket.on("data", (data) => events.push(...statuses(String(data)))).resume();
  if (!socket.closed) await once(socket, "close");
  expect(events).toEqual(["400"]);
});

test("whole requests before it are answered first", async () => {
  const { url, read } = await start();
  const answer = await raw(url, [`${HEAD}\r\n${HEAD}\r\nGARBAGE\r\n\r\n`]);
  expect(statuses(answer)).toEqual(["200", "200", "400"]);
  expect(read).toEqual(["GET 0", "GET 0"]);
});

test("a request without a host is refused; of version 1.0 it needs none", async () => {
  const { url } = await start();
  const answer = await raw(url, ["GET / HTTP/1.1\r\nConnection: close\r\n\r\n"]);
  expect([statuses(answer), answer.split("\r\n\r\n")[1]]).toEqual([
    ["400"],
    "refused: The request has no header Host.",
  ]);
  expect(statuses(await raw(url, ["GET / HTTP/1.0\r\n\r\n"]))).toEqual(["200"]);
});

test("an expectation that nobody knows is refused", async () => {
  const { url } = await start();
  const answer = await raw(url, [`${HEAD}Expect: miracles\r\nConnection: close\r\n\r\n`]);
  expect(statuses(answer)).toEqual(["417"]);
});
