import { once } from "node:events";
import { connect } from "node:net";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import type { HttpOperation } from "../../../src/http/index.js";
import { startServer } from "../../support/server.js";
import { sendRequest, raw, routeFor, serve } from "./server.js";

const JSON_BODY: Partial<HttpOperation> = {
  method: "POST",
  body: { required: true, mediaTypes: { "application/json": "json" } },
};
const HEAD = "POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";

/** Creates a JSON text with a number of bytes. */
function createText(bytes: number): string {
  return JSON.stringify("x".repeat(bytes - 2));
}

function chunk(data: string): string {
  return `${data.length.toString(16)}\r\n${data}\r\n`;
}

describe("the limit of a body (1000 bytes here)", () => {
  test("is the largest accepted length, with Content-Length and in chunks", async () => {
    const url = await serve({ operation: JSON_BODY });
    for (const [bytes, status] of [
      [1000, 200],
      [1001, 413],
    ] as const) {
      const known = `${HEAD}Connection: close\r\nContent-Length: ${bytes}\r\n\r\n${createText(bytes)}`;
      const chunks = `${HEAD}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(createText(bytes))}${chunk("")}`;
      expect(await raw(url, [known])).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(await raw(url, [chunks])).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    }
  });

  test("also limits a body that the handler reads as a stream", async () => {
    const url = await serve({
      operation: {
        method: "POST",
        body: { required: true, mediaTypes: { "application/octet-stream": "binary" } },
      },
      // The cast: a binary body is a stream.
      handler: async ({ body }) => ({ status: 200, body: (await buffer(body as Readable)).length }),
      options: { bodyLimit: 10, uploadLimit: 1000 },
    });
    const send = (bytes: number) =>
      sendRequest(`${url}/things`, {
        method: "POST",
        headers: { "content-type": "application/octet-stream" },
        body: new Uint8Array(bytes),
      });
    expect(await send(1000)).toMatchObject({ status: 200, body: 1000 });
    expect(await send(1001)).toMatchObject({ status: 413 });
    const head = HEAD.replace("application/json", "application/octet-stream");
    expect(await raw(url, [`${head}Content-Length: 1001\r\n\r\n`], "payload_too_large")).toMatch(
      /^HTTP\/1.1 413 /,
    );
  });

  test("is reported before the body is sent, and while it is sent", async () => {
    const url = await serve({ operation: JSON_BODY });
    const announced = await raw(url, [`${HEAD}Content-Length: 5000\r\n\r\n`], "payload_too_large");
    expect(announced).toMatch(/^HTTP\/1.1 413 /);
    expect(announced).toContain("body.length should be ≤ `1000`".replace("≤", "\u00e2\u0089\u00a4"));
    const unfinished = `${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunk(createText(1001))}`;
    expect(await raw(url, [unfinished], "payload_too_large")).toMatch(/^HTTP\/1.1 413 /);
  });

  test("is reported to a client that sends megabytes without reading", async () => {
    const url = await serve({ operation: JSON_BODY });
    for (const headers of [[], [["content-length", "20000000"] as [string, string]]]) {
      const stream = new ReadableStream({
        start(controller) {
          for (let part = 0; part < 20; part += 1) controller.enqueue(new Uint8Array(1_000_000).fill(0x20));
          controller.close();
        },
      });
      const response = await sendRequest(`${url}/things`, {
        method: "POST",
        headers: new Headers([["content-type", "application/json"], ...headers]),
        body: stream,
        duplex: "half",
      });
      expect(response).toMatchObject({ status: 413, body: { reason: "payload_too_large" } });
    }
  });

  test("leaves the connection usable for the next request", async () => {
    const url = await serve({ operation: JSON_BODY });
    const responses = await raw(url, [
      `${HEAD}Content-Length: 1001\r\n\r\n${createText(1001)}`,
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunk(createText(300_000))}${chunk("")}`,
      `${HEAD}Connection: close\r\nContent-Length: 3\r\n\r\n"a"`,
    ]);
    expect(responses.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 413", "HTTP/1.1 413", "HTTP/1.1 200"]);
  });
});

test("a client that waits for 100 Continue gets it", async () => {
  const url = await serve({ operation: JSON_BODY });
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.setEncoding("utf8");
  socket.write(`${HEAD}Expect: 100-continue\r\nContent-Length: 3\r\n\r\n`);
  expect((await once(socket, "data"))[0]).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\n$/);
  socket.write('"a"');
  expect((await once(socket, "data"))[0]).toMatch(/^HTTP\/1.1 200 OK\r\n/);
});

describe("a client that disconnects", () => {
  test.for(["during its body", "before the body is asked for"])("%s", async (when) => {
    const seen: unknown[] = [];
    let answered = (): void => {};
    const done = new Promise<void>((resolve) => (answered = resolve));
    const route = routeFor({
      operation: JSON_BODY,
      options: {
        async begin({ request }) {
          setTimeout(() => socket.resetAndDestroy(), 50);
          if (when !== "during its body") await once(request, "close").catch(() => undefined);
          return undefined;
        },
        onError(error) {
          seen.push(error);
          answered();
          return { status: 400 };
        },
      },
    });
    const url = await startServer((request, response) => {
      route(request, response, (error) => seen.push(["next", error]));
    });
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    socket.write(`${HEAD}Content-Length: 100\r\n\r\n{"a":`);
    await done;
    // Exactly one error, created by the runtime, which is not logged as a failure of the service.
    expect(seen).toMatchObject([{ name: "InvalidRequestError", reason: "aborted" }]);
  });

  test("while the handler runs gets no response, and the next client is served", async () => {
    let release = (): void => {};
    const left = new Promise<void>((resolve) => (release = resolve));
    const url = await serve({
      handler: async ({ query }) => {
        if (query === undefined) await left;
        return { status: 200, body: { ok: true } };
      },
    });
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.write("GET /things HTTP/1.1\r\nHost: a\r\n\r\n");
    await once(socket, "connect");
    socket.resetAndDestroy();
    setTimeout(release, 50);
    await left;
    expect(await sendRequest(`${url}/things`)).toMatchObject({ status: 200, body: { ok: true } });
  });
});
