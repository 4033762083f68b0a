import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { refuseMalformedRequests } from "../../src/service/malformed-request.js";
import { expectCpuTimeBelow } from "../support/cpu-time.js";
import { listen } from "../support/ports.js";
import { raw } from "../toolkit/http/server.js";

const HEAD = "GET / HTTP/1.1\r\nHost: a\r\n";

/** Timeouts for tests of unfinished requests. Other tests have none, because a busy machine can exceed them. */
const SHORT_TIMEOUTS = { headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 20 };

/** Starts a server that responds to each request with "refused: reason", or with "read" and the length of the body. */
async function start(
  timeouts: ServerOptions = {},
  refusalDelayMs = 0,
): Promise<{ url: string; read: string[] }> {
  const read: string[] = [];
  const server = createServer({ requireHostHeader: false, ...timeouts }, (request, response) => {
    if (response.socket === null) response.once("socket", () => void handle(request, response));
    else void handle(request, response);
  });
  const isMalformed = refuseMalformedRequests(server, (_, response, { status, message }) => {
    const respond = (): void => {
      response.writeHead(status, { "Content-Length": message.length + 9 }).end(`refused: ${message}`);
    };
    if (refusalDelayMs === 0) respond();
    else setTimeout(respond, refusalDelayMs);
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
  const port = await listen(server);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${port}`, read };
}

function listStatuses(response: string): string[] {
  return [...response.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = ""]) => status);
}

describe("an invalid HTTP request gets a complete response, and the connection is closed", () => {
  test.each([
    ["no request", "400", "GARBAGE\r\n\r\n"],
    ["an unknown method", "400", "FOO / HTTP/1.1\r\nHost: a\r\n\r\n"],
    ["a name with a space", "400", `${HEAD}A B: c\r\n\r\n`],
    ["a length and chunks", "400", `${HEAD}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`],
    ["a URL of 40 KB", "431", `GET /?${"a=1&".repeat(10_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ["a header of 40 KB", "431", `${HEAD}A: ${"a".repeat(40_000)}\r\n\r\n`],
    ["unfinished headers", "408", HEAD],
    ["an unfinished body", "408", `${HEAD}Content-Length: 9\r\n\r\nabc`],
    ["a chunk without a length", "400", `${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`],
    [
      "a chunk with an extension of 40 KB",
      "413",
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n1;${"a".repeat(40_000)}\r\n`,
    ],
  ])("%s: %s", async (_, status, request) => {
    const { url, read } = await start(status === "408" ? SHORT_TIMEOUTS : {});
    const response = await raw(url, [request]);
    expect(listStatuses(response)).toEqual([status]);
    expect(response).toMatch(/\r\nConnection: close\r\n/);
    expect(response).toMatch(/\r\n\r\nrefused: .+\.$/);
    expect(read).toEqual([]);
  });
});

test("data after it is not a second request and gets no second response", async () => {
  const { url, read } = await start();
  const response = await raw(url, ["GARBAGE\r\n\r\n", `${HEAD}\r\n`, `${HEAD}\r\n`]);
  expect(listStatuses(response)).toEqual(["400"]);
  expect(read).toEqual([]);
});

test.each([0, 50])("a client that sends more gets the response that follows after %i ms", async (delayMs) => {
  const { url } = await start({}, delayMs);
  const socket = connect(Number(new URL(url).port), "127.0.0.1").pause();
  const events: string[] = [];
  socket.on("error", ({ message }) => events.push(message));
  for (const piece of ["GARBAGE\r\n\r\n", "x".repeat(1000), "x".repeat(1000), ""]) {
    socket.write(piece);
    await sleep(20);
  }
  socket.on("data", (data) => events.push(...listStatuses(String(data)))).resume();
  if (!socket.closed) await once(socket, "close");
  expect(events).toEqual(["400"]);
});

test("complete earlier requests get their responses first", async () => {
  const { url, read } = await start();
  const response = await raw(url, [`${HEAD}\r\n${HEAD}\r\nGARBAGE\r\n\r\n`]);
  expect(listStatuses(response)).toEqual(["200", "200", "400"]);
  expect(read).toEqual(["GET 0", "GET 0"]);
});

test("refuses a request with several Hosts, or without one, except in version 1.0", async () => {
  const { url } = await start();
  for (const [hosts, problem] of [
    ["", "The request has no header Host."],
    ["Host: a\r\nhost: a\r\n", "The request has more than one header Host."],
  ]) {
    const response = await raw(url, [`GET / HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`]);
    expect([listStatuses(response), response.split("\r\n\r\n")[1]]).toEqual([["400"], `refused: ${problem}`]);
  }
  expect(listStatuses(await raw(url, ["GET / HTTP/1.0\r\n\r\n"]))).toEqual(["200"]);
});

test("refuses an unknown expectation", async () => {
  const { url } = await start();
  const response = await raw(url, [`${HEAD}Expect: miracles\r\nConnection: close\r\n\r\n`]);
  expect(listStatuses(response)).toEqual(["417"]);
});

test("an Accept header of 60,000 spaces takes little time", async () => {
  const { url } = await start();
  const refuse = () => raw(url, [`${HEAD}A B: c\r\nAccept:${" ".repeat(60_000)}`]);
  // 4.5 s when the time grows with the square of the length.
  await expectCpuTimeBelow(500, async () => expect(listStatuses(await refuse())).toEqual(["400"]));
});
