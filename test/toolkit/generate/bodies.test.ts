import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { PROJECT } from "./bodies-project.js";
import { createClientFor, serveBodies } from "./bodies-server.js";
import { startServer } from "../../support/server.js";
import { useWorkspace } from "./workspace.js";

type Values = Record<string, unknown>;
type Parts = AsyncIterable<Values> & { collect(limit?: number): Promise<Values> };

const FIXTURES = fileURLToPath(new URL("../../fixtures/generate", import.meta.url));

const workspace = useWorkspace({ file: path.join(FIXTURES, "bodies.yaml") });

beforeAll(() => {
  workspace.write("project.ts", PROJECT);
  expect(workspace.compile(["project.ts"])).toEqual([]);
});

test("the client compiles for browsers without the modules of Node", () => {
  const found = workspace.compile(["generated/client.ts"], {
    lib: ["ES2023", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
  });
  expect(found).toEqual([]);
});

const BYTES = new Uint8Array([0, 13, 10, 45, 45, 255]);
const PNG = { type: "image/png" };
const FIELDS = {
  title: 'ü "quoted"\r\n%22 & = +',
  size: 7,
  public: false,
  tags: ["a", "", "b,c"],
  meta: { a: 1 },
  points: [{ x: 1.5 }, {}],
};

/** Returns the result of a method; throws if the client lacks the method. */
function requireResult<T>(result: T | undefined): T {
  if (result === undefined) throw new Error("The client has no such method.");
  return result;
}

/** Converts the parts of a received body to JSON. */
async function describeParts({ body }: Values): Promise<{ status: number; body: unknown }> {
  const seen: unknown[] = [];
  for await (const { name, stream, value, filename, contentType } of body as Parts) {
    const content = stream instanceof Readable ? [...(await buffer(stream))] : value;
    seen.push(filename === undefined ? [name, content] : [name, content, filename, contentType]);
  }
  return { status: 200, body: seen };
}

const FIELD_PARTS = [
  ["title", FIELDS.title],
  ["size", 7],
  ["public", false],
  ["tags", "a"],
  ["tags", ""],
  ["tags", "b,c"],
  ["meta", { a: 1 }],
  ["points", { x: 1.5 }],
  ["points", {}],
];

describe("a multipart body with files", () => {
  test("arrives part by part, with decoded fields and files with name, type and bytes", async () => {
    const { client } = await serveBodies(workspace, describeParts);
    const more = [
      new Blob([BYTES]),
      new Uint8Array(),
      { content: "text", filename: "a.txt", contentType: "text/x" },
    ];
    const file = new File([BYTES], '../../ü"\n.png', PNG);
    const result = await client.upload?.({ body: { ...FIELDS, file, more } });
    expect(result?.body).toEqual([
      ...FIELD_PARTS,
      ["file", [...BYTES], '../../ü"\r\n.png', "image/png"],
      ["more", [...BYTES], "blob", "application/octet-stream"],
      ["more", [], "blob", "application/octet-stream"],
      ["more", [...Buffer.from("text")], "a.txt", "text/x"],
    ]);
  });

  test("with a stream is sent while the stream is read", async () => {
    const { client } = await serveBodies(workspace, describeParts);
    const file = new Blob([BYTES]).stream();
    const result = await client.upload?.({ body: { title: "a", file, size: 1 } });
    expect(result?.body).toEqual([
      ["title", "a"],
      // The document declares several content types, so the client does not choose one.
      ["file", [...BYTES], "blob", "application/octet-stream"],
      ["size", 1],
    ]);
  });

  test("is the value of the schema after collecting", async () => {
    let seen: Values = {};
    const { client } = await serveBodies(workspace, async ({ body }) => {
      seen = await (body as Parts).collect();
      return { status: 200, body: null };
    });
    await client.upload?.({
      body: { ...FIELDS, file: new File([BYTES], "a.png", PNG), more: [new Blob([])] },
    });
    const { file, more, ...fields } = seen;
    expect(fields).toEqual(FIELDS);
    expect(file).toMatchObject({ name: "a.png", type: "image/png", size: BYTES.length });
    expect(new Uint8Array(await (file as File).arrayBuffer())).toEqual(BYTES);
    expect(more).toMatchObject([{ name: "blob", size: 0 }]);
  });

  test.each([
    ["fetch with FormData", (url: string, form: FormData) => fetch(url, { method: "POST", body: form })],
    ["our client with FormData", undefined],
  ])("is accepted from %s", async (_, send) => {
    const { client, baseUrl } = await serveBodies(workspace, describeParts);
    const form = new FormData();
    form.append("title", "a");
    form.append("meta", new Blob(['{"a":2}'], { type: "application/json" }));
    form.append("file", new File([BYTES], "b.png", PNG));
    const body = send
      ? await (await send(`${baseUrl}/uploads`, form)).json()
      : (await client.upload?.({ body: form }))?.body;
    expect(body).toEqual([
      ["title", "a"],
      // A Blob always has a file name.
      ["meta", { a: 2 }],
      ["file", [...BYTES], "b.png", "image/png"],
    ]);
  });

  test("is accepted from curl", async ({ skip }) => {
    const { baseUrl } = await serveBodies(workspace, describeParts);
    const local = workspace.path("c.png");
    writeFileSync(local, BYTES);
    const fields = ["title=a b", 'meta={"a":3}', "tags=x", "tags=y", `file=@${local}`];
    const args = ["-sS", ...fields.flatMap((field) => ["-F", field]), `${baseUrl}/uploads`];
    const { stdout } = await promisify(execFile)("curl", args).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") skip("there is no curl here");
      throw error;
    });
    expect(JSON.parse(stdout)).toEqual([
      ["title", "a b"],
      ["meta", { a: 3 }],
      ["tags", "x"],
      ["tags", "y"],
      ["file", [...BYTES], "c.png", "image/png"],
    ]);
  });

  test.each<[string, Values, RegExp]>([
    ["a missing field", { file: new Blob([]) }, /body\.title should be defined/],
    ["a missing file", { title: "a" }, /body\.file should be defined/],
    [
      "a field of another type",
      { title: "a", file: new Blob([]), size: "x" },
      /body\.size should be an integer/,
    ],
    ["a too large number", { title: "a", file: new Blob([]), size: 1001 }, /body\.size should be ≤ `1000`/],
    [
      "JSON of another shape",
      { title: "a", file: new Blob([]), meta: { a: "x" } },
      /body\.meta\.a should be/,
    ],
    ["an undeclared field", { title: "a", file: new Blob([]), no: 1 }, /body\.no should be not present/],
  ])("is refused after reading: %s", async (_, body, message) => {
    const { client } = await serveBodies(workspace, describeParts);
    const call = client.upload?.({ body });
    await expect(call).rejects.toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(message) },
    });
  });

  test("that the handler does not read does not block the next request on the connection", async () => {
    const { client } = await serveBodies(workspace, async () => ({ status: 200, body: "enough" }));
    for (let count = 0; count < 3; count += 1) {
      const result = await client.upload?.({
        body: { title: "a", file: new Blob([new Uint8Array(3_000_000)]) },
      });
      expect(result).toMatchObject({ status: 200, body: "enough" });
    }
  });

  test("above the limit is refused with 413, by its Content-Length or while it arrives", async () => {
    const { client } = await serveBodies(workspace, describeParts, { bodyLimit: 1000, uploadLimit: 100_000 });
    const large = new Blob([new Uint8Array(200_000)]);
    for (const file of [large, large.stream()]) {
      await expect(client.upload?.({ body: { title: "a", file } })).rejects.toMatchObject({ status: 413 });
    }
    // Buffered parts have a separate limit.
    const title = "a".repeat(2000);
    await expect(client.upload?.({ body: { title, file: new Blob([]) } })).rejects.toMatchObject({
      status: 413,
    });
  });
});

describe("a part that is a file or a text", () => {
  test("arrives as what was sent", async () => {
    const { client, baseUrl } = await serveBodies(workspace, describeParts);
    const file = ["photo", [...BYTES], "blob", "application/octet-stream"];
    const more = [new Blob([BYTES]), "id2"];
    expect(await client.sendPhotos?.({ body: { photo: new Blob([BYTES]), more } })).toMatchObject({
      body: [file, ["more", ...file.slice(1)], ["more", "id2"]],
    });
    expect(await client.sendPhotos?.({ body: { photo: "id1" } })).toMatchObject({ body: [["photo", "id1"]] });
    const form = new FormData();
    form.append("photo", "id1");
    const received = await fetch(`${baseUrl}/photos`, { method: "POST", body: form });
    expect(await received.json()).toEqual([["photo", "id1"]]);
  });

  test("is checked when it is a text", async () => {
    const { client } = await serveBodies(workspace, describeParts);
    await expect(client.sendPhotos?.({ body: { photo: "too long" } })).rejects.toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining("body.photo.length should be ≤ `5`") },
    });
  });
});

test("a text whose schema is not that of a string is its JSON", async () => {
  const { client, baseUrl } = await serveBodies(workspace, async ({ body }) => ({
    status: 200,
    body: [body],
  }));
  for (const body of [5, false, [1, 2]])
    expect(await client.sendText?.({ body })).toMatchObject({ body: [body] });
  const send = (body: string) => fetch(`${baseUrl}/texts`, { method: "POST", body });
  const response = await send("7");
  expect([response.headers.get("content-type"), await response.text()]).toEqual(["text/plain", "[7]"]);
  expect((await send("10")).status).toBe(400);
  expect((await send("ten")).status).toBe(400);
});

test("a multipart body without files is decoded and checked before the handler runs", async () => {
  const { client, baseUrl } = await serveBodies(workspace, async ({ body }) => ({ status: 200, body }));
  const body = { n: 1, list: [true, false], meta: { a: 1 }, other: "text" };
  expect(await client.sendFields?.({ body })).toMatchObject({ body });
  const form = new FormData();
  form.append("n", "x");
  const refused = await fetch(`${baseUrl}/fields`, { method: "POST", body: form });
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { detail: expect.stringContaining('body.n should be an integer, instead was `"x"`') },
  ]);
});

describe("a form", () => {
  const body = {
    name: "a b&=+%ü",
    age: 3,
    ok: true,
    tags: ["a", "b,c"],
    ids: [1, 2],
    meta: { a: 1, b: ["x&y"] },
    deep: { a: 1, b: { c: "d" } },
    other: "text",
  };

  test("arrives decoded", async () => {
    const { client } = await serveBodies(workspace, async ({ body: seen }) => ({ status: 200, body: seen }));
    expect(await client.sendForm?.({ body })).toMatchObject({ body });
  });

  test("is compatible with other clients and servers", async () => {
    const { baseUrl } = await serveBodies(workspace, async ({ body: seen }) => ({ status: 200, body: seen }));
    const form = new URLSearchParams({
      name: "a b+",
      age: "3",
      ids: "1,2",
      meta: '{"a":1}',
      "deep[b][c]": "d",
    });
    const sent = await fetch(`${baseUrl}/forms`, { method: "POST", body: form });
    expect(await sent.json()).toEqual({
      name: "a b+",
      age: 3,
      ids: [1, 2],
      meta: { a: 1 },
      deep: { b: { c: "d" } },
    });
    const url = await startServer(async (request, response) => {
      const text = (await buffer(request)).toString();
      const pairs = [...new URLSearchParams(text)];
      const body = JSON.stringify([request.headers["content-type"], pairs]);
      response.writeHead(200, { "Content-Type": "application/json" }).end(body);
    });
    const result = await (
      await createClientFor(workspace, url)
    ).sendForm?.({ body: { name: "ü &", tags: ["a", "b"] } });
    const pairs = [["name", "ü &"], ["tags", "a"], ["tags", "b"]]; // prettier-ignore
    expect(result?.body).toEqual(["application/x-www-form-urlencoded", pairs]);
  });

  test.each<[string, string, RegExp]>([
    ["a value of another type", "name=a&age=x", /body\.age should be an integer, instead was `"x"`/],
    ["a repeated value", "name=a&name=b", /body\.name should be sent once/],
    ["invalid JSON", "name=a&meta={", /body\.meta should be JSON/],
    ["bytes that are not UTF-8", "name=%FF", /should be valid UTF-8/],
    ["NUL", "name=a%00", /U\+0000/],
  ])("is refused: %s", async (_, form, message) => {
    const { baseUrl } = await serveBodies(workspace, async () => ({ status: 200, body: 1 }));
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const response = await fetch(`${baseUrl}/forms`, { method: "POST", headers, body: form });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ detail: expect.stringMatching(message) });
  });
});

describe("bytes", () => {
  test.each([
    ["bytes", () => BYTES],
    ["an ArrayBuffer", () => BYTES.slice().buffer],
    ["a Blob", () => new Blob([BYTES])],
    ["a stream", () => new Blob([BYTES]).stream()],
  ])("are sent from %s and arrive as a stream", async (_, make) => {
    let seen = new Uint8Array();
    const { client } = await serveBodies(workspace, async ({ body }) => {
      seen = new Uint8Array(await buffer(body as Readable));
      return { status: 200, body: seen.length };
    });
    await client.putObject?.({ path: { name: "a" }, body: make() });
    expect(seen).toEqual(BYTES);
  });

  test.each([
    ["bytes", () => BYTES, String(BYTES.length)],
    ["a Blob", () => new Blob([BYTES]), String(BYTES.length)],
    ["a stream of Node", () => Readable.from([Buffer.from(BYTES)]), null],
    ["a web stream", () => new Blob([BYTES]).stream(), null],
  ])("are returned from %s, in the form that the caller chooses", async (_, make, length) => {
    const { client } = await serveBodies(workspace, async () => ({
      status: 200,
      body: make(),
      contentType: "application/octet-stream",
    }));
    const path = { name: "a" };
    const bytes = await client.getObject?.({ path });
    expect(bytes?.body).toEqual(BYTES);
    expect((requireResult(bytes).response as Response).headers.get("content-length")).toBe(length);
    const blob = await client.getObject?.({ path }, { as: "blob" });
    expect(new Uint8Array(await (requireResult(blob).body as Blob).arrayBuffer())).toEqual(BYTES);
    const stream = await client.getObject?.({ path }, { as: "stream" });
    expect(new Uint8Array(await new Response(stream?.body as ReadableStream).arrayBuffer())).toEqual(BYTES);
  });

  test("of a media type range declare their type in requests and responses", async () => {
    const { client } = await serveBodies(workspace, async ({ contentType, body }) => ({
      status: 200,
      contentType: String(contentType),
      body,
    }));
    const result = await client.convert?.({ contentType: "image/webp", body: new Blob([BYTES]) });
    expect(result).toMatchObject({ contentType: "image/webp", body: BYTES });
  });
});

test("headers with objects and lists have the style simple and are parsed by type", async () => {
  const headers = {
    "X-Point": { x: 1.5, y: "a b" },
    "X-Exploded": { x: 2, on: true },
    "X-Flags": [true, false],
  };
  const { client, baseUrl } = await serveBodies(workspace, async () => ({
    status: 200,
    headers,
    body: BYTES,
  }));
  expect(await client.getObject?.({ path: { name: "a" } })).toMatchObject({ headers });
  const raw = await fetch(`${baseUrl}/objects/a`);
  expect(raw.headers.get("x-point")).toBe("x,1.5,y,a b");
  expect(raw.headers.get("x-exploded")).toBe("x=2,on=true");
  expect(raw.headers.get("x-flags")).toBe("true,false");
});

test("a header with a comma in an item is an error instead of another list", async () => {
  const headers = { "X-Point": { y: "a,b" } };
  const { client, problems } = await serveBodies(workspace, async () => ({
    status: 200,
    headers,
    body: BYTES,
  }));
  await expect(client.getObject?.({ path: { name: "a" } })).rejects.toMatchObject({ status: 500 });
  expect(String(problems[0])).toMatch(/X-Point.*comma/);
});

async function collectList(body: unknown): Promise<unknown[]> {
  const items: unknown[] = [];
  // The cast: event streams are async iterables.
  for await (const item of body as AsyncIterable<unknown>) items.push(item);
  return items;
}

async function* generateEvents(events: unknown[]): AsyncGenerator<unknown> {
  yield* events;
}

describe("an event stream", () => {
  test.each<[string, unknown[]]>([
    [
      "watch",
      [{ data: { kind: "made", of: "a\nb" } }, { data: { kind: "gone" }, event: "x", id: "7", retry: 0 }],
    ],
    ["listen", [{ data: "one\ntwo\n" }, { data: "" }, { data: " ü " }]],
    [
      "follow",
      [
        { event: "tick", data: 1 },
        { event: "text", data: { a: "b" }, id: "" },
      ],
    ],
  ])("returns each event unchanged: %s", async (operation, events) => {
    const { client } = await serveBodies(workspace, async () => ({
      status: 200,
      body: generateEvents(events),
    }));
    expect(await collectList((await client[operation]?.({}))?.body)).toEqual(events);
  });

  test("has headers against buffering, and arrives event by event", async () => {
    let release = (): void => {};
    const second = new Promise<void>((resolve) => (release = resolve));
    const { client } = await serveBodies(workspace, async () => ({
      status: 200,
      body: (async function* () {
        yield { data: "a" };
        await second;
        yield { data: "b" };
      })(),
    }));
    const result = await client.listen?.({});
    const { headers } = requireResult(result).response as Response;
    expect([headers.get("content-type"), headers.get("cache-control")]).toEqual([
      "text/event-stream",
      "no-cache",
    ]);
    const events = (requireResult(result).body as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    expect(await events.next()).toEqual({ done: false, value: { data: "a" } });
    release();
    expect(await events.next()).toEqual({ done: false, value: { data: "b" } });
    expect(await events.next()).toMatchObject({ done: true });
  });

  test.each(["leaving the loop", "aborting the call"])("is closed on the server by %s", async (how) => {
    let closed = (): void => {};
    const isClosed = new Promise<void>((resolve) => (closed = resolve));
    const { client } = await serveBodies(workspace, async () => ({
      status: 200,
      body: (async function* () {
        try {
          for (;;) {
            yield { data: "a" };
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        } finally {
          closed();
        }
      })(),
    }));
    const controller = new AbortController();
    const { body } = (await client.listen?.({}, { signal: controller.signal })) ?? {};
    for await (const event of body as AsyncIterable<unknown>) {
      expect(event).toEqual({ data: "a" });
      if (how === "leaving the loop") break;
      controller.abort();
    }
    await isClosed;
  });

  test("that fails is aborted, and the client gets an error", async () => {
    const { client, problems } = await serveBodies(workspace, async () => ({
      status: 200,
      body: (async function* () {
        yield { data: "a" };
        throw new Error("boom");
      })(),
    }));
    const { body } = (await client.listen?.({})) ?? {};
    await expect(collectList(body)).rejects.toThrow();
    expect(problems.map(String)).toEqual(["Error: boom"]);
  });

  test("is distinguished from other media types of the response", async () => {
    const { client } = await serveBodies(workspace, async ({ body }) =>
      (body as Values).stream
        ? { status: 200, contentType: "text/event-stream", body: generateEvents([{ data: { delta: "a" } }]) }
        : { status: 200, contentType: "application/json", body: { text: "a" } },
    );
    const whole = await client.chat?.({ body: {} });
    expect(whole).toMatchObject({ contentType: "application/json", body: { text: "a" } });
    const streamed = await client.chat?.({ body: { stream: true } });
    expect(streamed?.contentType).toBe("text/event-stream");
    expect(await collectList(streamed?.body)).toEqual([{ data: { delta: "a" } }]);
  });
});
