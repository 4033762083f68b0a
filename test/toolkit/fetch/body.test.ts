import { expect, test, vi } from "vitest";
import { writeAs, writeByMediaType, writeForm, writeJson } from "../../../src/fetch/write-body.js";
import { writeLines } from "../../../src/fetch/lines.js";
import { writeMultipart } from "../../../src/fetch/multipart.js";
import type { WrittenBody } from "../../../src/fetch/operation.js";
import { queryWriter } from "../../../src/fetch/query.js";

/** Reads the text of a multipart body, with `B` for the boundary. */
async function readText({ body, headers = {} }: WrittenBody): Promise<string> {
  const boundary = /boundary=(.*)/.exec(headers["Content-Type"] ?? "")?.[1] ?? "";
  // The cast: the writer under test returns a Blob or a stream.
  const text = await new Response(body as Blob).text();
  return text.replaceAll(boundary, "B").replaceAll("\r\n", "\n");
}

test("encodes JSON with any JSON media type, and sends other bodies unchanged", () => {
  expect(writeAs("application/merge-patch+json")({ a: 1 }, undefined)).toEqual({
    body: { a: 1 },
    headers: { "Content-Type": "application/merge-patch+json" },
  });
  const written = writeAs("text/csv")("a,b", undefined);
  expect(written).toMatchObject({ body: "a,b", headers: { "Content-Type": "text/csv" } });
  expect(written.bodySerializer?.("a,b")).toBe("a,b");
});

test("a value of another media type than JSON is sent as JSON, and its bytes are sent unchanged", () => {
  const write = writeJson("text/plain");
  const written = write([1], undefined);
  expect(written).toMatchObject({ body: "[1]", headers: { "Content-Type": "text/plain" } });
  expect(written.bodySerializer?.("[1]")).toBe("[1]");
  const bytes = new Uint8Array([49]);
  expect(write(bytes, undefined).body).toBe(bytes);
});

test("bytes are sent unchanged with any media type, which the caller can name for a range", () => {
  for (const body of [new Blob(["{}"]), new Uint8Array([1]), new ArrayBuffer(1), new ReadableStream()]) {
    const written = writeByMediaType()(body, "application/geo+json");
    expect(written).toMatchObject({ body, headers: { "Content-Type": "application/geo+json" } });
    expect(written.bodySerializer?.(body)).toBe(body);
  }
});

test("a stream is sent while it is read", () => {
  expect(writeAs("text/csv")(new ReadableStream(), undefined).duplex).toBe("half");
});

test("the caller's media type selects the writer", () => {
  const write = writeByMediaType({ "application/x-www-form-urlencoded": writeForm() });
  expect(write({ a: 1 }, "application/x-www-form-urlencoded")).toMatchObject({ body: "a=1" });
  expect(write("x", "text/plain")).toMatchObject({ body: "x", headers: { "Content-Type": "text/plain" } });
  expect(write({ a: 1 }, undefined)).toEqual({ body: { a: 1 } });
});

test("objects in a form are JSON unless their field has a style", () => {
  const write = writeForm({ deep: queryWriter("deepObject") });
  const fields = { a: [1, 2], b: { c: 1 }, deep: { d: 2 }, e: undefined, f: null, constructor: { g: 3 } };
  expect(write(fields, undefined).body).toBe(
    "a=1&a=2&b=%7B%22c%22%3A1%7D&deep%5Bd%5D=2&constructor=%7B%22g%22%3A3%7D",
  );
  expect(write(new URLSearchParams({ a: "b c" }), undefined).body).toBe("a=b+c");
  expect(write("a=%20", undefined).body).toBe("a=%20");
});

test("multipart parts have the names, types and file names of their values", async () => {
  const write = writeMultipart("multipart/form-data", { meta: "application/json", image: "image/png" });
  const written = write(
    {
      'n\na\r"me\r\n': "text",
      list: [1, 2],
      meta: "x",
      object: { content: "x" },
      half: { filename: "x" },
      image: new Uint8Array([65]),
      file: new File(["B"], "b.txt", { type: "text/plain" }),
      named: { content: "C", filename: "c.bin", headers: { "X-Part": "1" } },
      none: undefined,
    },
    undefined,
  );
  expect(await readText(written)).toBe(
    [
      '--B\nContent-Disposition: form-data; name="n%0D%0Aa%0D%0A%22me%0D%0A"\n\ntext',
      '--B\nContent-Disposition: form-data; name="list"\n\n1',
      '--B\nContent-Disposition: form-data; name="list"\n\n2',
      '--B\nContent-Disposition: form-data; name="meta"\nContent-Type: application/json\n\n"x"',
      '--B\nContent-Disposition: form-data; name="object"\nContent-Type: application/json\n\n{"content":"x"}',
      '--B\nContent-Disposition: form-data; name="half"\nContent-Type: application/json\n\n{"filename":"x"}',
      '--B\nContent-Disposition: form-data; name="image"; filename="blob"\nContent-Type: image/png\n\nA',
      '--B\nContent-Disposition: form-data; name="file"; filename="b.txt"\nContent-Type: text/plain\n\nB',
      '--B\nContent-Disposition: form-data; name="named"; filename="c.bin"\nContent-Type: application/octet-stream\nX-Part: 1\n\nC',
      "--B--\n",
    ].join("\n"),
  );
});

test("a multipart body without streams is a Blob, and each body has another boundary", () => {
  const bodies = [1, 2].map((a) => writeMultipart("multipart/form-data")({ a }, undefined));
  for (const { body } of bodies) expect(body).toBeInstanceOf(Blob);
  const types = bodies.map(({ headers }) => headers?.["Content-Type"]);
  expect(new Set(types).size).toBe(2);
});

test("the content type of a file is the caller's, otherwise that of the Blob, the declared one, or bytes", async () => {
  const write = writeMultipart("multipart/form-data", {
    declared: "image/png",
    typed: "image/png",
    range: "image/*",
  });
  const blob = new Blob(["A"], { type: "text/plain" });
  const written = write(
    {
      own: { content: blob, contentType: "text/csv" },
      typed: blob,
      declared: new Blob(["A"]),
      range: new Blob(["A"]),
    },
    undefined,
  );
  expect(
    [...(await readText(written)).matchAll(/name="(\w+)".*\nContent-Type: (.*)/g)].map(
      ([, ...found]) => found,
    ),
  ).toEqual([
    ["own", "text/csv"],
    ["typed", "text/plain"],
    ["declared", "image/png"],
    ["range", "application/octet-stream"],
  ]);
});

test("a multipart body with a stream is a stream, and FormData is left to fetch", async () => {
  const stream = new Blob(["streamed"]).stream();
  const written = writeMultipart("multipart/form-data")({ a: stream, b: 1 }, undefined);
  expect(written.duplex).toBe("half");
  expect(await readText(written)).toContain(
    'filename="blob"\nContent-Type: application/octet-stream\n\nstreamed\n--B\n',
  );
  expect(writeMultipart("multipart/form-data")(new FormData(), undefined).headers).toEqual({
    "Content-Type": null,
  });
});

test.each([{ headers: { "X-Part": "1\r\nX-Other: 2" } }, { contentType: "text/csv\r\nX-Other: 2" }])(
  "a part header with a line break is refused: %j",
  (part) => {
    const file = { content: "x", filename: "x", ...part };
    expect(() => writeMultipart("multipart/form-data")({ file }, undefined)).toThrow(TypeError);
  },
);

test("null in a list is skipped unless it has a declared type of JSON, and a file can have an empty name", async () => {
  const write = writeMultipart("multipart/form-data", { json: "application/json" });
  const fields = { constructor: [null, "a"], json: [null], file: { content: new Blob(["x"]), filename: "" } };
  expect(await readText(write(fields, undefined))).toBe(
    '--B\nContent-Disposition: form-data; name="constructor"\n\na\n' +
      '--B\nContent-Disposition: form-data; name="json"\nContent-Type: application/json\n\nnull\n' +
      '--B\nContent-Disposition: form-data; name="file"; filename=""\nContent-Type: application/octet-stream\n\nx\n--B--\n',
  );
});

test("line breaks around a part header are removed", async () => {
  const file = {
    content: "x",
    filename: "x",
    contentType: "text/csv\r\n",
    headers: { "X-Part": "\r\n1\r\n" },
  };
  expect(await readText(writeMultipart("multipart/form-data")({ file }, undefined))).toContain(
    "\nContent-Type: text/csv\nX-Part: 1\n\nx\n--B--\n",
  );
});

test("a field whose declared content type is a range has no content type, or that of JSON", async () => {
  const write = writeMultipart("multipart/form-data", { a: "text/*", b: "*/*" });
  expect(await readText(write({ a: "x", b: { c: 1 } }, undefined))).toBe(
    '--B\nContent-Disposition: form-data; name="a"\n\nx\n' +
      '--B\nContent-Disposition: form-data; name="b"\nContent-Type: application/json\n\n{"c":1}\n--B--\n',
  );
});

test("a part header replaces the default header in any case", async () => {
  const file = { content: "x", filename: "x", headers: { "content-type": "text/csv" } };
  expect(await readText(writeMultipart("multipart/form-data")({ file }, undefined))).toBe(
    '--B\nContent-Disposition: form-data; name="file"; filename="x"\ncontent-type: text/csv\n\nx\n--B--\n',
  );
});

/** Creates a stream that never ends, and records whether it was cancelled. */
function createEndlessStream(): { stream: ReadableStream<Uint8Array>; isCancelled: () => boolean } {
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array([65])),
    cancel: () => {
      cancelled = true;
    },
  });
  return { stream, isCancelled: () => cancelled };
}

test("cancelling a multipart body cancels all its streams", async () => {
  const files = [createEndlessStream(), createEndlessStream()];
  const { body } = writeMultipart("multipart/form-data")({ a: files.map(({ stream }) => stream) }, undefined);
  // The cast: a body with a stream is a stream.
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await reader.read();
  await reader.cancel();
  await vi.waitFor(() => expect(files.map(({ isCancelled }) => isCancelled())).toEqual([true, true]));
});

test("a stream that fails cancels the streams after it, also if one of them cannot be cancelled", async () => {
  const failing = new ReadableStream<Uint8Array>({
    pull: () => Promise.reject(new Error("unreadable")),
  });
  const stuck = new ReadableStream<Uint8Array>({ cancel: () => Promise.reject(new Error("stuck")) });
  const { stream, isCancelled } = createEndlessStream();
  const { body } = writeMultipart("multipart/form-data")({ a: [failing, stuck, stream] }, undefined);
  // The cast: a body with a stream is a stream.
  await expect(new Response(body as ReadableStream<Uint8Array>).text()).rejects.toThrow("unreadable");
  await vi.waitFor(() => expect(isCancelled()).toBe(true));
});

test("the values of any iterable are sent as JSON lines", async () => {
  async function* count(): AsyncGenerator<unknown> {
    yield 1;
    yield { a: "b" };
  }
  const write = writeLines("application/jsonl", "lines");
  for (const values of [count(), new Set([1, { a: "b" }])]) {
    // The cast: the writer under test returns a text or a stream.
    const body = write(values, undefined).body as string | ReadableStream;
    expect(await new Response(body).text()).toBe('1\n{"a":"b"}\n');
  }
});

test("a body of JSON lines can be cancelled if its iterable cannot be closed", async () => {
  const numbers = { [Symbol.asyncIterator]: () => ({ next: async () => ({ value: 1, done: false }) }) };
  const { body } = writeLines("application/jsonl", "lines")(numbers, undefined);
  // The cast: the body of an async iterable is a stream.
  await expect((body as ReadableStream<Uint8Array>).cancel()).resolves.toBeUndefined();
});

test("cancelling a body of JSON lines closes the iterable", async () => {
  let closed = false;
  async function* count(): AsyncGenerator<number> {
    try {
      for (let number = 1; ; number += 1) yield number;
    } finally {
      closed = true;
    }
  }
  const { body } = writeLines("application/jsonl", "lines")(count(), undefined);
  // The cast: the body of an async iterable is a stream.
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await reader.cancel();
  expect(closed).toBe(true);
});
