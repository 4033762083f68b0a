import { once } from "node:events";
import { createReadStream } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { Readable } from "node:stream";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  createBinder,
  type HttpOperation,
  type HttpResponse,
  type RequestContext,
} from "../../../../src/http/index.js";
import { startServer } from "../../../support/server.js";
import { createTemporaryFolder } from "../../../support/temporary-folder.js";
import { type Mount, operation, raw, serve } from "../server.js";

const BYTES = "application/octet-stream";

function createReply(body: unknown, more: Partial<HttpResponse> = {}): () => Promise<HttpResponse> {
  return async () => ({ status: 200, contentType: BYTES, body, ...more });
}

const HEAD = ["HEAD /things HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"];
const GET = ["GET /things HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"];

test("an error before the first byte gets the complete response of onError", async () => {
  const failing = (): AsyncIterable<unknown> => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("boom")) }),
  });
  const noBytes = async function* (): AsyncGenerator<unknown> {
    yield { a: 1 };
  };
  for (const make of [failing, () => Readable.from(failing()), noBytes]) {
    const url = await serve({ handler: async () => createReply(make())() });
    const response = await fetch(`${url}/things`);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ reason: "bug" });
  }
});

test("a binary stream of other values is an error", async () => {
  const errors: unknown[] = [];
  const onError = (error: unknown): HttpResponse => ({ status: 500, body: errors.push(String(error)) });
  for (const item of [null, 1]) {
    const handler = createReply((async function* () { yield item; })()); // prettier-ignore
    await fetch(`${await serve({ handler, options: { onError } })}/things`);
  }
  expect(errors).toEqual([
    "TypeError: A binary body cannot contain null.",
    "TypeError: A binary body cannot contain a value of type number.",
  ]);
});

test("an error after the first byte aborts the connection", async () => {
  const url = await serve({
    handler: createReply(
      (async function* () {
        yield Buffer.from("begun");
        // Waits until the first byte has arrived.
        await new Promise((resolve) => setTimeout(resolve, 50));
        throw new Error("boom");
      })(),
    ),
  });
  const response = await raw(url, GET);
  expect(response).toMatch(/^HTTP\/1.1 200 OK\r\n/);
  expect(response).toContain("begun");
  // The last chunk is missing.
  expect(response).not.toContain("\r\n0\r\n\r\n");
});

describe("HEAD", () => {
  test.for<[string, () => unknown, RegExp]>([
    ["a Blob", () => new Blob(["abc"]), /\r\nContent-Length: 3\r\n/],
    ["a stream", () => Readable.from(["abc"]), /\r\nContent-Type: application\/octet-stream\r\n/],
  ])("gets the headers without %s, which is closed", async ([, make, header]) => {
    const body = make();
    const url = await serve({ handler: createReply(body) });
    const response = await raw(url, HEAD);
    expect(response).toMatch(header);
    expect(response.slice(response.indexOf("\r\n\r\n"))).toBe("\r\n\r\n");
    if (body instanceof Readable) expect(body.destroyed).toBe(true);
  });
});

test("a declared length must be correct", async () => {
  const headers = { "Content-Length": 3 };
  const good = await serve({ handler: createReply(Readable.from([Buffer.from("abc")]), { headers }) });
  expect(await (await fetch(`${good}/things`)).text()).toBe("abc");
  for (const [length, text] of [
    [3, "ab"],
    [3, "abcd"],
    [0, "a"],
  ] as const) {
    const reply = { headers: { "Content-Length": length } };
    const url = await serve({ handler: createReply(Readable.from([Buffer.from(text)]), reply) });
    const response = await fetch(`${url}/things`).catch((error: Error) => error);
    const read =
      response instanceof Response && response.ok ? response.text() : Promise.reject(new Error("cut off"));
    await expect(read).rejects.toThrow();
  }
});

test("reads only what the client accepts, and closes the source when the client disconnects", async () => {
  let read = 0;
  let closed = (): void => {};
  const isClosed = new Promise<void>((resolve) => (closed = resolve));
  const url = await serve({
    handler: createReply(
      (async function* () {
        try {
          for (;;) {
            read += 1;
            yield Buffer.alloc(64 * 1024);
          }
        } finally {
          closed();
        }
      })(),
    ),
  });
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.pause();
  socket.write(GET.join(""));
  await once(socket, "readable");
  let before = -1;
  while (before !== read) {
    before = read;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  // Socket buffers contain some megabytes, but not the complete stream.
  expect(read).toBeLessThan(1000);
  socket.destroy();
  await isClosed;
});

test("cancels a ReadableStream that has nothing to read when the client disconnects", async () => {
  const cancel = vi.fn();
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new Uint8Array([65])),
    cancel,
  });
  await raw(await serve({ handler: createReply(body) }), GET, "A");
  await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce());
});

const EVENTS: Partial<HttpOperation> = {
  responseMediaTypes: { 200: ["text/event-stream"] },
  responseStreamFormats: { 200: { "text/event-stream": "text-events" } },
};

test("an event stream without events starts at once, and is closed when the client disconnects", async () => {
  let returned = (): void => {};
  const isReturned = new Promise<void>((resolve) => (returned = resolve));
  const silent: AsyncIterable<unknown> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => {}),
      return: async () => {
        returned();
        return { done: true, value: undefined };
      },
    }),
  };
  const url = await serve({ operation: EVENTS, handler: async () => ({ status: 200, body: silent }) });
  expect(await raw(url, GET, "\r\n\r\n")).toMatch(
    /^HTTP\/1.1 200 OK\r\nContent-Type: text\/event-stream\r\nCache-Control: no-cache\r\nX-Accel-Buffering: no\r\n/,
  );
  await isReturned;
});

test("a source that waits forever is left when the client disconnects before it has read everything", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  let count = 0;
  const body: AsyncIterable<unknown> = {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        count += 1;
        const value = { data: "x".repeat(10_000_000) };
        return count === 1 ? Promise.resolve({ done: false, value }) : new Promise(() => {});
      },
    }),
  };
  const url = await serve({ operation: EVENTS, handler: async () => ({ status: 200, body }) });
  await raw(url, GET, "data: ");
  await vi.waitFor(() => expect(count).toBe(2));
  // The heartbeat ends with the response.
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0));
});

test("an event stream has a comment after every 15 seconds, until it ends", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  async function* events(): AsyncGenerator<object> {
    vi.advanceTimersByTime(14_999);
    yield { data: "a" };
    vi.advanceTimersByTime(1);
    yield { data: "b" };
  }
  const url = await serve({ operation: EVENTS, handler: async () => ({ status: 200, body: events() }) });
  expect(await (await fetch(`${url}/things`)).text()).toBe("data: a\n\n:\n\ndata: b\n\n");
  expect(vi.getTimerCount()).toBe(0);
});

test("a client that does not read gets no comments", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const data = "x".repeat(20_000_000);
  const url = await serve({
    operation: EVENTS,
    handler: async () => ({ status: 200, body: (async function* () { yield { data }; })() }), // prettier-ignore
  });
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(GET.join(""));
  await once(socket, "readable");
  vi.advanceTimersByTime(60_000);
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  expect(text.length).toBeGreaterThan(data.length);
  expect(text).not.toContain("\n:\n\n");
});

test("a waiting generator is notified by its signal when the client disconnects", async () => {
  let ended = (): void => {};
  const isEnded = new Promise<void>((resolve) => (ended = resolve));
  const bind = createBinder<AbortSignal>({
    validators: {},
    begin({ response }) {
      const controller = new AbortController();
      response.once("close", () => controller.abort());
      return controller.signal;
    },
  });
  const route = bind(operation(EVENTS), async (_, signal) => {
    async function* events(): AsyncGenerator<object> {
      try {
        yield { data: "a" };
        // Waits forever.
        if (!signal.aborted) await once(signal, "abort");
      } finally {
        ended();
      }
    }
    return { status: 200, body: events() };
  });
  const url = await startServer((request, response) => route(request, response, () => {}));
  expect(await raw(url, GET, "data: a\n\n")).toContain("data: a");
  await isEnded;
});

test("an event stream keeps the handler's own headers in any letter case", async () => {
  const headers = { "cache-control": "no-store" };
  const body = (async function* () { yield { data: "a" }; })(); // prettier-ignore
  const url = await serve({ operation: EVENTS, handler: async () => ({ status: 200, headers, body }) });
  expect((await fetch(`${url}/things`)).headers.get("cache-control")).toBe("no-store");
});

test("an event without data is an empty text", async () => {
  const url = await serve({
    operation: { ...EVENTS, responseStreamFormats: { 200: { "text/event-stream": "text-events" } } },
    handler: async () => ({ status: 200, body: (async function* () { yield { event: "a" }; })() }), // prettier-ignore
  });
  expect(await (await fetch(`${url}/things`)).text()).toBe("event: a\ndata: \n\n");
});

test("an event can have the retry 0 and an empty id", async () => {
  const url = await serve({
    operation: EVENTS,
    handler: async () => ({ status: 200, body: (async function* () { yield { data: "a\rb\r\nc", id: "", retry: 0 }; })() }), // prettier-ignore
  });
  expect(await (await fetch(`${url}/things`)).text()).toBe("id: \nretry: 0\ndata: a\ndata: b\ndata: c\n\n");
});

test.for<[string, object]>([
  ["a line break in its kind", { data: "a", event: "a\nb" }],
  ["a line break in its id", { data: "a", id: "a\rb" }],
  ["NUL in its id", { data: "a", id: "a\0b" }],
  ["a retry that is not a number", { data: "a", retry: "soon" }],
  ["a negative retry", { data: "a", retry: -1 }],
])("an event with %s is not sent", async ([, event]) => {
  const url = await serve({
    operation: EVENTS,
    handler: async () => ({ status: 200, body: (async function* () { yield event; })() }), // prettier-ignore
  });
  const response = await raw(url, GET);
  expect(response.slice(response.indexOf("\r\n\r\n") + 4)).toBe("");
});

test("lines of JSON are sent one by one", async () => {
  const url = await serve({
    operation: {
      responseMediaTypes: { 200: ["application/jsonl"] },
      responseStreamFormats: { 200: { "application/jsonl": "lines" } },
    },
    handler: async () => ({ status: 200, body: (async function* () { yield { a: "\n" }; yield 1; })() }), // prettier-ignore
  });
  expect(await (await fetch(`${url}/things`)).text()).toBe('{"a":"\\n"}\n1\n');
});

test.each([
  { declared: "application/json-seq", contentType: undefined },
  { declared: "application/*+json-seq", contentType: "application/geo+json-seq" },
])(
  "a record separator begins each value of a JSON sequence of $declared",
  async ({ declared, contentType }) => {
    const url = await serve({
      operation: {
        responseMediaTypes: { 200: [declared] },
        responseStreamFormats: { 200: { [declared]: "sequence" } },
      },
      handler: async () => ({ status: 200, contentType, body: (async function* () { yield { a: 1 }; yield 2; })() }), // prettier-ignore
    });
    expect(await (await fetch(`${url}/things`)).text()).toBe('\u001e{"a":1}\n\u001e2\n');
  },
);

describe("a stream that is not sent", () => {
  test("is left to its reader if it has one", async () => {
    const body = new ReadableStream();
    const reader = body.getReader();
    const url = await serve({ handler: createReply(body, { status: 204 }) });
    expect((await fetch(`${url}/things`)).status).toBe(204);
    await reader.cancel();
  });

  // The file does not exist, so the stream has an error after it was closed.
  const open = () => createReadStream(path.join(createTemporaryFolder(), "missing"));
  const leave = ({ response }: RequestContext): undefined => void response.destroy();

  const fail = (_: unknown, { status }: HttpResponse): void => {
    if (status === 200) throw new Error("boom");
  };

  test.for<[string, Mount["options"], Partial<HttpResponse>, string[]]>([
    ["because of HEAD", {}, {}, HEAD],
    ["because of its status", {}, { status: 204 }, GET],
    ["because its client has left", { begin: leave }, {}, GET],
    ["because its header cannot be formatted", {}, { headers: { "X-List": ["a,b"] } }, GET],
    [
      "because the document does not allow its status",
      { responseValidators: { op: { 200: {} } } },
      { status: 201 },
      GET,
    ],
    ["because of an error of beforeResponse", { beforeResponse: fail }, {}, GET],
  ])("%s is closed, and its errors do not end the process", async ([, options, reply, request]) => {
    let body: Readable | undefined;
    const handler = async () => createReply((body = open()), reply)();
    await raw(await serve({ handler, options }), request);
    await vi.waitFor(() => expect(body?.closed).toBe(true));
    expect(body?.listenerCount("error")).toBeGreaterThan(0);
  });
});
