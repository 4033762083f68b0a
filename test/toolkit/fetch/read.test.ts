import { expect, test } from "vitest";
import {
  readBytes,
  readJson,
  readText,
  readByMediaType,
  readByStatus,
} from "../../../src/fetch/read-body.js";
import { readEvents } from "../../../src/fetch/events.js";
import { isJson } from "../../../src/http/media-types.js";
import { readLines } from "../../../src/fetch/lines.js";
import type { CallOptions, ReadBody } from "../../../src/fetch/operation.js";

const fail = (body: unknown, reason: string): Error => new Error(`${reason}: ${String(body)}`);

/** Creates a response whose body arrives in the given chunks. */
function createChunkedResponse(...chunks: string[]): Response {
  const bytes = chunks.map((chunk) => new TextEncoder().encode(chunk)).values();
  return new Response(
    new ReadableStream<Uint8Array>({
      pull(controller) {
        const { value, done } = bytes.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    }),
  );
}

/** Collects the items of a stream reader. */
async function collectItems(read: ReadBody, response: Response): Promise<unknown[]> {
  const { body } = await read(response, {}, fail);
  const items: unknown[] = [];
  // The cast: readers of streams return async iterables.
  for await (const item of body as AsyncIterable<unknown>) items.push(item);
  return items;
}

test("JSON, text and bytes are read", async () => {
  expect(await readJson(new Response('{"a":1}'), {}, fail)).toEqual({ body: { a: 1 } });
  expect(await readJson(new Response("0"), {}, fail)).toEqual({ body: 0 });
  expect(await readJson(new Response(""), {}, fail)).toEqual({ body: undefined });
  await expect(readJson(new Response("<html>"), {}, fail)).rejects.toThrow("the body is not JSON: <html>");
  expect(await readText(new Response("x"), {}, fail)).toEqual({ body: "x" });
  expect(await readBytes(new Response("A"), {}, fail)).toEqual({ body: new Uint8Array([65]) });
  const options: CallOptions & { as: string } = { as: "stream" };
  const { body } = await readBytes(new Response(null), options, fail);
  expect(body).toBeInstanceOf(ReadableStream);
  // The cast: the option `as` selects a stream.
  expect(await new Response(body as ReadableStream).text()).toBe("");
  const asBlob: CallOptions & { as: string } = { as: "blob" };
  const blob = new Blob(["A"], { type: "image/png" });
  expect((await readBytes(new Response(blob), asBlob, fail)).body).toEqual(blob);
});

test.each([
  ["application/json", true],
  ["Application/JSON; charset=utf-8", true],
  ["application/problem+json", true],
  ["text/json", true],
  ["application/jsonp", false],
  ["text/plain; a=+json", false],
])("%s is JSON: %s", (mediaType, expected) => {
  expect(isJson(mediaType)).toBe(expected);
});

test("JSON lines arrive in any chunks, and the last one needs no line end", async () => {
  expect(await collectItems(readLines, createChunkedResponse('{"a"', ':1}\n\n{"b":', "2}\r\n\r\n3"))).toEqual(
    [{ a: 1 }, { b: 2 }, 3],
  );
});

test("a JSON sequence can contain line feeds", async () => {
  const response = createChunkedResponse('\u001e{"a":\n1}\n\u001e', "2\n");
  response.headers.set("Content-Type", "application/geo+json-seq");
  expect(await collectItems(readLines, response)).toEqual([{ a: 1 }, 2]);
});

test("a JSON sequence drops values that may be truncated", async () => {
  const response = createChunkedResponse('\u001e1\n\u001e2\u001e"a"\u001etrue \u001e1', "2");
  response.headers.set("Content-Type", "Application/JSON-Seq");
  expect(await collectItems(readLines, response)).toEqual([1, "a", true]);
});

test("a response without content has no body where another one has several media types", async () => {
  const read = readByMediaType({ "application/json": readJson, "image/png": readBytes });
  expect(await read(new Response(null, { status: 202 }), {}, fail)).toEqual({ body: undefined });
  const empty = new Response("", { headers: { "Content-Length": "0" } });
  empty.headers.delete("Content-Type");
  expect(await read(empty, {}, fail)).toEqual({ body: undefined });
  const typed = new Response("", { headers: { "Content-Length": "0", "Content-Type": "image/png" } });
  expect(await read(typed, {}, fail)).toEqual({ body: new Uint8Array(), contentType: "image/png" });
  const anything = readByMediaType({ "*/*": readText });
  expect(await anything(new Response(null), {}, fail)).toEqual({ body: "", contentType: "" });
});

test("a response with content but no Content-Type is read as bytes where another one has several media types", async () => {
  const read = readByMediaType({ "application/json": readJson, "image/png": readBytes });
  expect(await read(createChunkedResponse("1"), {}, fail)).toEqual({
    body: new Uint8Array([49]),
    contentType: "",
  });
});

test("a response without content has no lines and no events", async () => {
  expect(await collectItems(readLines, new Response(null))).toEqual([]);
  expect(await collectItems(readEvents("text"), new Response(null))).toEqual([]);
});

test("a character can be cut in two between the chunks of lines", async () => {
  const bytes = new TextEncoder().encode('"ü"\n"€"');
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  expect(await collectItems(readLines, new Response(stream))).toEqual(["ü", "€"]);
});

test("leaving the loop over lines closes the connection", async () => {
  let isCancelled = false;
  const stream = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("1\n2\n")),
    cancel: () => void (isCancelled = true),
  });
  const { body } = await readLines(new Response(stream), {}, fail);
  // The cast: the reader of lines returns an async iterable.
  for await (const item of body as AsyncIterable<unknown>) {
    expect(item).toBe(1);
    break;
  }
  expect(isCancelled).toBe(true);
});

test("the lines of an aborted call end without an error, and those of another one with its error", async () => {
  const controller = new AbortController();
  const read = async (options: CallOptions): Promise<unknown[]> => {
    const failing = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode("1\n2")),
      pull: () => Promise.reject(new Error("cut off")),
    });
    const { body } = await readLines(new Response(failing), options, fail);
    const items: unknown[] = [];
    // The cast: the reader of lines returns an async iterable.
    for await (const item of body as AsyncIterable<unknown>) items.push(item);
    return items;
  };
  const { signal } = controller;
  await expect(read({})).rejects.toThrow("cut off");
  await expect(read({ signal })).rejects.toThrow("cut off");
  controller.abort();
  expect(await read({ signal })).toEqual([1]);
});

test("events end at an empty line, with any line ends and chunks", async () => {
  const stream = createChunkedResponse(
    ": comment\r",
    "\nevent: x\rid: 1\r\ndata: {\r",
    "",
    "\ndata: }\n",
    "\nretry: 50\ndata:[1]\r\n\r",
    "\ndata: lost",
  );
  expect(await collectItems(readEvents("json"), stream)).toEqual([
    { data: {}, event: "x", id: "1" },
    { data: [1], retry: 50 },
  ]);
});

test("a carriage return ends an event before more bytes arrive", async () => {
  const chunks = ["data: a\r\r", "\ndata: b\r", "\n\r"];
  let pulls = 0;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = chunks[pulls];
        pulls += 1;
        if (chunk === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(chunk));
      },
    },
    // Reads a chunk only when the client waits for it.
    { highWaterMark: 0 },
  );
  const { body } = await readEvents("text")(new Response(stream), {}, fail);
  const found: unknown[] = [];
  // The cast: readers of streams return async iterables.
  for await (const event of body as AsyncIterable<unknown>) found.push([pulls, event]);
  expect(found).toEqual([
    [1, { data: "a" }],
    [3, { data: "b" }],
  ]);
});

/** Event streams of other servers, with the events according to the HTML standard. */
test.each<[string, string, unknown[]]>([
  ["all line ends", "data: a\r\rdata: b\n\ndata: c\r\n\r\n", [{ data: "a" }, { data: "b" }, { data: "c" }]],
  ["a byte order mark", "\uFEFFdata: a\n\n", [{ data: "a" }]],
  ["comments", ": hello\n\ndata: a\n:\ndata: b\n\n", [{ data: "a\nb" }]],
  ["no space, two spaces", "data:a\n\ndata:  b\n\n", [{ data: "a" }, { data: " b" }]],
  ["a field without a colon", "data\n\ndata\ndata\n\n", [{ data: "" }, { data: "\n" }]],
  ["unknown fields", "foo: bar\nDATA: x\ndata: a\n\n", [{ data: "a" }]],
  ["no data", "event: x\n\nid: 3\n\ndata: a\n\n", [{ data: "a" }]],
  ["an id with NUL, and an invalid retry", "id: a\0\nretry: 1x\nretry: x1\ndata: a\n\n", [{ data: "a" }]],
  ["a number in an unknown field", "foo: 1\ndata: a\n\n", [{ data: "a" }]],
  ["an empty id", "event: x\nid\ndata: a\n\n", [{ data: "a", event: "x", id: "" }]],
  ["a line end after an unfinished event", "data: a\n\ndata: b\n", [{ data: "a" }]],
  ["an unfinished event", "data: a\n\ndata: b", [{ data: "a" }]],
  ["a reset event name", "event: x\nevent:\ndata: a\n\n", [{ data: "a" }]],
])("events with %s, in pieces of any size", async (_, text, events) => {
  for (const size of [1, 2, 7, text.length]) {
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
    expect(await collectItems(readEvents("text"), createChunkedResponse(...pieces))).toEqual(events);
  }
});

test("a response of another type than an event stream is an error instead of a stream without events", async () => {
  const html = new Response("<html>", { headers: { "Content-Type": "text/html; charset=utf-8" } });
  await expect(collectItems(readEvents("json"), html)).rejects.toThrow(
    "the body is text/html, not text/event-stream: <html>",
  );
});

test("the ids of events are numbers if declared as such", async () => {
  const read = readEvents("text", "number");
  const ids = ["12", "-3", "c", "c1", "1c"];
  const chunks = ids.map((id) => `data: a\nid: ${id}\n\n`);
  expect(await collectItems(read, createChunkedResponse(...chunks))).toEqual(
    [12, -3, "c", "c1", "1c"].map((id) => ({ data: "a", id })),
  );
});

test("text events keep their lines, JSON events end at [DONE], and invalid JSON is an error", async () => {
  expect(
    await collectItems(readEvents("text"), createChunkedResponse("data: a\ndata:  b\n\ndata: [DONE]\n\n")),
  ).toEqual([{ data: "a\n b" }, { data: "[DONE]" }]);
  expect(
    await collectItems(readEvents("json"), createChunkedResponse("data: 1\n\ndata: [DONE]\n\ndata: 2\n\n")),
  ).toEqual([{ data: 1 }]);
  await expect(collectItems(readEvents("json"), createChunkedResponse("data: {\n\n"))).rejects.toThrow(
    "not JSON",
  );
});

test("the most specific range selects the reader", async () => {
  const read = readByMediaType({ "*/*": readText, "image/*": readBytes });
  const png = new Response("1", { headers: { "Content-Type": "image/png" } });
  expect(await read(png, {}, fail)).toEqual({ body: new Uint8Array([49]), contentType: "image/png" });
  const csv = readByMediaType({ "text/csv": readText, "text/csv;header=present": readBytes });
  expect(
    await csv(new Response("1", { headers: { "Content-Type": "text/csv; header=present" } }), {}, fail),
  ).toEqual({
    body: new Uint8Array([49]),
    contentType: "text/csv;header=present",
  });
});

test("the Content-Type selects the reader, then a range, then the kind of the media type", async () => {
  const read = readByMediaType({
    "application/json": readJson,
    "text/csv": readText,
    "image/*": readBytes,
  });
  const readAs = async (type: string): Promise<unknown> =>
    read(new Response("1", { headers: { "Content-Type": type } }), {}, fail);
  expect(await readAs("application/json; charset=utf-8")).toEqual({
    body: 1,
    contentType: "application/json",
  });
  expect(await readAs("TEXT/CSV")).toEqual({ body: "1", contentType: "text/csv" });
  expect(await readAs("image/png")).toEqual({ body: new Uint8Array([49]), contentType: "image/png" });
  expect(await readAs("application/problem+json")).toEqual({
    body: 1,
    contentType: "application/problem+json",
  });
  expect(await readAs("text/html")).toEqual({ body: "1", contentType: "text/html" });
  expect(await readAs("application/zip")).toEqual({
    body: new Uint8Array([49]),
    contentType: "application/zip",
  });
});

test("the status of a response selects its reader; an undeclared one is read by its media type", async () => {
  const readOf = (readers: Record<string, ReadBody>) => (status: number) =>
    readByStatus(readers)(Response.json({}, { status }), {}, fail);
  const read = readOf({ 200: readText, "2XX": readBytes });
  expect(await read(200)).toEqual({ body: "{}" });
  expect(await read(201)).toEqual({ body: new TextEncoder().encode("{}") });
  expect(await readOf({ 200: readText })(201)).toEqual({ body: {}, contentType: "application/json" });
});
