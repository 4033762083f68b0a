import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { MAX_BODY_CHUNKS, MAX_READ_BODY_BYTES } from "../../src/budgets.js";
import { createHttpServer } from "../../src/service/http-server.js";

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Starts a server, and opens a connection to it. */
async function connectTo(
  handle: Handle,
): Promise<{ socket: Socket; received: () => string; closed: Promise<unknown> }> {
  const server = createHttpServer(handle, handle, () => undefined);
  const socket = connect(await server.listen(0, "127.0.0.1"), "127.0.0.1");
  let text = "";
  socket.on("data", (data: Buffer) => (text += data.toString())).on("error", () => {});
  onTestFinished(() => {
    socket.destroy();
    return server.close();
  });
  return { socket, received: () => text, closed: new Promise((resolve) => socket.once("close", resolve)) };
}

const HEAD = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

function formatChunks(text: string): string {
  return [...text].map((character) => `1\r\n${character}\r\n`).join("");
}

/** Responds with the body, and with the number and the maximum length of the chunks in which it was read. */
const measure: Handle = (request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const maxLength = Math.max(...chunks.map(({ length }) => length));
    response.end(`${chunks.length} chunks up to ${maxLength}: ${Buffer.concat(chunks).toString()}.`);
  });
};

test("small chunks are merged, in order", async () => {
  const { socket, received, closed } = await connectTo(measure);
  const text = Array.from({ length: 9000 }, (_, index) => index % 10).join("");
  const large = "x".repeat(2000);
  socket.write(
    `${HEAD}${formatChunks(text)}${large.length.toString(16)}\r\n${large}\r\n${formatChunks("end")}0\r\n\r\n`,
  );
  while (!received().includes("end.")) await once(socket, "data");
  const [, count, maxLength, body] = /(\d+) chunks up to (\d+): ([^.]*)\./.exec(received()) ?? [];
  expect(body).toBe(`${text}${large}end`);
  expect(Number(count)).toBeLessThan(20);
  expect(maxLength).toBe("2000");
  socket.destroy();
  await closed;
});

test("a connection is closed when a body has too many chunks, also after a response that did not wait for it", async () => {
  const chunks = formatChunks("x".repeat(1000));
  const refuse: Handle = (_, response) => void response.end("refused");
  for (const [handle, head] of [
    [measure, HEAD],
    [refuse, HEAD],
    [refuse, HEAD.replace("\r\n", "\r\nExpect: miracles\r\n")],
  ] as const) {
    const { socket, received } = await connectTo(handle);
    socket.write(head);
    if (handle !== measure) while (!received().includes("refused")) await once(socket, "data");
    let sent = 0;
    while (!socket.destroyed && sent < 100 * MAX_BODY_CHUNKS) {
      socket.write(chunks);
      sent += 1000;
      await new Promise((resolve) => setImmediate(resolve));
    }
    // Otherwise the time limit of the request would close it.
    expect(sent).toBeLessThan(100 * MAX_BODY_CHUNKS);
  }
});

test("the rest of a long body is not read, but its client gets the response", async () => {
  for (const handle of [
    (_: IncomingMessage, response: ServerResponse) => void response.end("refused"),
    (request: IncomingMessage, response: ServerResponse) =>
      void request.once("data", () => response.end("refused")),
  ]) {
    let serverSocket: Socket | undefined;
    const { socket, received } = await connectTo((request, response) => {
      serverSocket = request.socket;
      handle(request, response);
    });
    socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n");
    const part = Buffer.alloc(100_000);
    // The buffers of the kernel are full when the client has to wait.
    for (let waitingTurns = 0; waitingTurns < 100; waitingTurns += 1) {
      if (!socket.writableNeedDrain) {
        socket.write(part);
        waitingTurns = 0;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(received()).toContain("refused");
    expect(serverSocket?.bytesRead).toBeLessThan(2 * MAX_READ_BODY_BYTES);
  }
});

test("a body that is not read does not keep the connection from being used again", async () => {
  const { socket, received } = await connectTo((_, response) => void response.end("done"));
  const request = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n${"x".repeat(100_000)}`;
  for (let count = 1; count <= 3; count += 1) {
    socket.write(request);
    while ((received().match(/done/g) ?? []).length < count) await once(socket, "data");
  }
});
