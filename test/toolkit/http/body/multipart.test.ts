import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import type { MultipartBody } from "../../../../src/http/body/multipart.js";
import type { HttpField, HttpOperation, HttpRequest, HttpResponse } from "../../../../src/http/index.js";
import { Random, takeSeed } from "../../../support/random.js";
import { raw, sendRequest, serve } from "../server.js";

type Parts = AsyncIterable<Record<string, unknown>>;

const UPLOAD: Partial<HttpOperation> = {
  method: "POST",
  body: { required: true, mediaTypes: { "multipart/form-data": "multipart" } },
};

function declareFields(...declared: HttpField[]): Partial<HttpOperation> {
  return {
    method: "POST",
    body: {
      required: true,
      mediaTypes: { "multipart/form-data": "multipart" },
      fields: { "multipart/form-data": declared },
    },
  };
}

/** Returns the name, the file name and the content of every part. */
async function listParts({ body }: HttpRequest): Promise<HttpResponse> {
  const seen: unknown[] = [];
  // The cast: a multipart body with files is this.
  for await (const { name, filename, stream, value } of body as Parts) {
    const content = stream instanceof Readable ? (await buffer(stream)).toString("latin1") : value;
    seen.push([name, filename ?? null, content]);
  }
  return { status: 200, body: seen };
}

function post(url: string, body: string | Uint8Array, type = "multipart/form-data; boundary=b") {
  // A copy, as fetch takes no view of shared memory.
  const bytes = new Uint8Array(typeof body === "string" ? Buffer.from(body, "latin1") : body);
  return sendRequest(`${url}/things`, { method: "POST", headers: { "content-type": type }, body: bytes });
}

const lines = (...all: string[]): string => all.join("\r\n");
const createField = (name: string, value: string): string =>
  lines("--b", `Content-Disposition: form-data; name="${name}"`, "", value, "");

/** Creates the beginning of a part with headers of some bytes, which include the line break before them. */
function createLongHeaders(bytes: number): string {
  const start = lines("", 'Content-Disposition: form-data; name="a"', "X: ");
  return `--b${start}${"y".repeat(bytes - start.length)}`;
}

describe("accepts", () => {
  test.for<[string, string, unknown[]]>([
    ["no part", "--b--\r\n", []],
    ["a body that ends with the last boundary", lines("--b", 'content-disposition: form-data; name="a"', "", "1", "--b--"), [["a", null, "1"]]], // prettier-ignore
    ["text before and after", `before\r\n${createField("a", "1")}--b--\r\nafter --b`, [["a", null, "1"]]],
    ["spaces after the boundary", `--b \t\r\n${createField("a", "1").slice(5)}--b--`, [["a", null, "1"]]],
    ["empty content", `${createField("a", "")}--b--`, [["a", null, ""]]],
    ["8-bit text", lines("--b", 'Content-Disposition: form-data; name="a"', "Content-Transfer-Encoding: 8Bit ", "", "1", "--b--"), [["a", null, "1"]]], // prettier-ignore
    ["7-bit text", lines("--b", 'Content-Disposition: form-data; name="a"', "Content-Transfer-Encoding: 7bit", "", "1", "--b--"), [["a", null, "1"]]], // prettier-ignore
    ["no content", lines("--b", "Content-Disposition: form-data; name=a", "", "--b--"), [["a", null, ""]]],
    [
      "content that resembles a boundary",
      `${createField("a", "-b\r\n-\r\n--\r--b")}--b--`,
      [["a", null, "-b\r\n-\r\n--\r--b"]],
    ],
    ["names without quotes", lines("--b", "CONTENT-DISPOSITION:form-data;name=a;filename=x.txt", "", "1", "--b--"), [["a", "x.txt", "1"]]], // prettier-ignore
    ["escapes with backslashes", lines("--b", String.raw`Content-Disposition: form-data; name="a\"b\"c"; filename="C:\x\y"`, "", "1", "--b--"), [['a"b"c', String.raw`C:\x\y`, "1"]]], // prettier-ignore
    ["a line feed in a quoted name", lines("--b", 'Content-Disposition: form-data; name="a\nb"', "", "1", "--b--"), [["a\nb", null, "1"]]], // prettier-ignore
    ["escapes with percent", lines("--b", 'Content-Disposition: form-data; name="a%22%0D%0Ab%41"', "", "1", "--b--"), [['a"\r\nb%41', null, "1"]]], // prettier-ignore
    ["only the escapes of forms, in their notation", lines("--b", 'Content-Disposition: form-data; name="%0a%2f%0A"', "", "%0A%22", "--b--"), [["%0a%2f\n", null, "%0A%22"]]], // prettier-ignore
    ["a name in RFC 5987", lines("--b", "Content-Disposition: form-data; name=a; filename*=UTF-8''%C3%BC.txt", "", "1", "--b--"), [["a", "ü.txt", "1"]]], // prettier-ignore
    ["a name in RFC 5987 with a language, and its charset in lower case", lines("--b", "Content-Disposition: form-data; name=a; filename*=utf-8'en'%C3%BC.txt", "", "1", "--b--"), [["a", "ü.txt", "1"]]], // prettier-ignore
    ["a name in RFC 5987 that looks encoded after it was decoded", lines("--b", "Content-Disposition: form-data; name=a; filename*=UTF-8''%2522.txt", "", "1", "--b--"), [["a", "%22.txt", "1"]]], // prettier-ignore
    ["the extended name before the plain one", lines("--b", "Content-Disposition: form-data; name=a; filename*=UTF-8''%C3%BC.txt; filename=u.txt", "", "1", "--b--"), [["a", "ü.txt", "1"]]], // prettier-ignore
    ["the plain name before an extended one that is not valid UTF-8", lines("--b", "Content-Disposition: form-data; name=a; filename*=UTF-8''%FF.txt; filename=u.txt", "", "1", "--b--"), [["a", "u.txt", "1"]]], // prettier-ignore
    ["the plain name before an extended one in another charset", lines("--b", "Content-Disposition: form-data; name=a; filename*=iso-8859-1''a%20b.txt; filename=u.txt", "", "1", "--b--"), [["a", "u.txt", "1"]]], // prettier-ignore
    ["an empty file name of a file", lines("--b", 'Content-Disposition: form-data; name="f"; filename=""', "Content-Type: text/csv", "", "\xff", "--b--"), [["f", "", "\xff"]]], // prettier-ignore
    ["names of prototypes", `${createField("__proto__", "1")}${createField("constructor", "2")}--b--`, [["__proto__", null, "1"], ["constructor", null, "2"]]], // prettier-ignore
    ["a path as an unchanged file name", lines("--b", 'Content-Disposition: form-data; name="f"; filename="../../etc/passwd"', "", "1", "--b--"), [["f", "../../etc/passwd", "1"]]], // prettier-ignore
  ])("%s", async ([, body, expected]) => {
    const url = await serve({ operation: UPLOAD, handler: listParts });
    expect(await post(url, body)).toMatchObject({ status: 200, body: expected });
  });

  test("a quoted boundary with punctuation, and a parameter in upper case", async () => {
    const url = await serve({ operation: UPLOAD, handler: listParts });
    const body = createField("a", "1").replace("--b", "--a b:c") + "--a b:c--";
    const response = await post(url, body, 'multipart/form-data; x=y; BOUNDARY="a b:c"');
    expect(response).toMatchObject({ status: 200, body: [["a", null, "1"]] });
  });

  test("headers of 16384 bytes", async () => {
    const url = await serve({ operation: UPLOAD, handler: listParts, options: { bodyLimit: 1_000_000 } });
    const response = await post(url, `${createLongHeaders(16_384)}\r\n\r\n1\r\n--b--`);
    expect(response).toMatchObject({ status: 200, body: [["a", null, "1"]] });
  });

  test("a boundary of 70 characters, and 1000 parts", async () => {
    const url = await serve({ operation: UPLOAD, handler: listParts, options: { bodyLimit: 1_000_000 } });
    const boundary = "b".repeat(70);
    const body = createField("a", "").replace("--b", `--${boundary}`).repeat(1000);
    const response = await post(url, `${body}--${boundary}--`, `multipart/form-data; boundary=${boundary}`);
    expect(response).toMatchObject({ status: 200, body: { length: 1000 } });
    const refused = await post(url, "x", `multipart/form-data; boundary=b${boundary}`);
    expect(refused).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("1 to 70 char") },
    });
  });
});

describe("refuses", () => {
  const head = 'Content-Disposition: form-data; name="a"';
  test.for<[string, string, number, RegExp]>([
    ["only text", "text", 400, /ends before its last boundary/],
    ["no last boundary", createField("a", "1"), 400, /ends before its last boundary/],
    ["cut off in the headers", lines("--b", head), 400, /ends before its last boundary/],
    ["another boundary", createField("a", "1").replace("--b", "--c") + "--c--", 400, /ends before/],
    ["a longer boundary", `--bb\r\n${head}\r\n\r\n1\r\n--b--`, 400, /begins with the boundary and continues/],
    [
      "no Content-Disposition",
      lines("--b", "X: y", "", "1", "--b--"),
      400,
      /Content-Disposition header with a `name`/,
    ],
    ["no name", lines("--b", "Content-Disposition: form-data", "", "1", "--b--"), 400, /with a `name`/],
    ["an invalid header", lines("--b", "not a header", head, "", "1", "--b--"), 400, /that is not a header/],
    ["a folded header", lines("--b", head, " more", "", "1", "--b--"), 400, /that is not a header/],
    [
      "headers that are too long",
      `${createLongHeaders(16_385)}\r\n\r\n1\r\n--b--`,
      400,
      /longer than 16384 bytes/,
    ],
    ["headers without end", `--b\r\n${head}\r\nX: ${"y".repeat(20_000)}`, 400, /longer than 16384 bytes/],
    ["a transfer encoding", lines("--b", head, "Content-Transfer-Encoding: base64", "", "MQ==", "--b--"), 400, /base64 is not supported/], // prettier-ignore
    ["another charset", lines("--b", head, "Content-Type: text/plain; charset=latin1", "", "1", "--b--"), 415, /Unsupported charset latin1/], // prettier-ignore
    ["text that is not UTF-8", `${createField("a", "\xff")}--b--`, 400, /body\.a should be valid UTF-8/],
    [
      "text with NUL",
      `${createField("a", "x\0")}--b--`,
      400,
      /body\.a failed validation: body\.a has the character U\+0000/,
    ],
    ["a name that is not UTF-8", `${createField("\xff", "1")}--b--`, 400, /^The body is not valid UTF-8\.$/],
    ["thousands of parts", `${createField("a", "").repeat(1001)}--b--`, 413, /more than 1000 parts/],
  ])("%s", async ([, body, status, message]) => {
    const url = await serve({ operation: UPLOAD, handler: listParts, options: { bodyLimit: 1_000_000 } });
    const response = await post(url, body);
    expect(response).toMatchObject({ status, body: { message: expect.stringMatching(message) } });
  });

  test("a part without a name also if the media type is in capitals", async () => {
    const url = await serve({ operation: UPLOAD, handler: listParts });
    const body = lines("--b", "Content-Disposition: form-data", "", "1", "--b--");
    expect(await post(url, body, "Multipart/Form-Data; boundary=b")).toMatchObject({ status: 400 });
  });

  test("texts that together exceed the limit of a body, although each fits", async () => {
    const url = await serve({ operation: UPLOAD, handler: listParts, options: { uploadLimit: 10_000 } });
    const postTexts = (...lengths: number[]) =>
      post(url, `${lengths.map((length) => createField("a", "x".repeat(length))).join("")}--b--`);
    expect([(await postTexts(400, 600)).status, (await postTexts(400, 601)).status]).toEqual([200, 413]);
  });

  test("a file in a body without declared files, whose limit is that of other bodies", async () => {
    const operation = declareFields({ name: "a", type: "string" });
    const url = await serve({ operation, options: { uploadLimit: 10_000 } });
    const file = lines("--b", 'Content-Disposition: form-data; name="f"; filename="f"', "", "1", "--b--");
    expect((await post(url, file)).body).toMatchObject({
      message: "body failed validation: body.f should be text, instead was a file.",
    });
    const sent = `${createField("a", "1")}--b--`;
    expect((await post(url, sent)).status).toBe(200);
    expect((await post(url, `${"x".repeat(1000)}\r\n${sent}`)).status).toBe(413);
  });

  test("a second file where one is declared", async () => {
    const part = lines("--b", 'Content-Disposition: form-data; name="a"; filename="a"', "", "1", "");
    const send = async (type: HttpField["type"]) => {
      const operation = declareFields({ name: "a", type, file: true });
      return post(await serve({ operation, handler: listParts }), `${part}${part}--b--`);
    };
    expect(await send({ items: "string" })).toMatchObject({ status: 200 });
    const message = "body failed validation: body.a should be sent once.";
    expect(await send("string")).toMatchObject({ status: 400, body: { message } });
  });

  test.for([
    "multipart/form-data",
    "multipart/form-data; boundary=",
    `multipart/form-data; boundary=${"b".repeat(71)}`,
  ])("a missing or invalid boundary: %s", async (type) => {
    const url = await serve({ operation: UPLOAD, handler: listParts });
    expect(await post(url, "--b--", type)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("`boundary`") },
    });
  });

  test("an incomplete body of a client that disconnects, with an error for the handler", async () => {
    let report: (error: unknown) => void = () => {};
    const failure = new Promise<unknown>((resolve) => (report = resolve));
    const handler = (request: HttpRequest): Promise<HttpResponse> => {
      setTimeout(() => socket.destroy(), 50);
      return listParts(request).catch((error: unknown) => {
        report(error);
        throw error;
      });
    };
    const url = await serve({ operation: UPLOAD, handler, options: { uploadLimit: 10_000 } });
    const start = "POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b";
    const file = lines("--b", 'Content-Disposition: form-data; name="f"; filename="f"', "", "begun");
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write(`${start}\r\nContent-Length: 500\r\n\r\n${file}`);
    expect(String(await failure)).toContain("The request ended before its body did");
  });
});

test("a repeated field is a list if a list is declared, and otherwise invalid", async () => {
  const url = await serve({
    operation: declareFields({ name: "l", type: { items: "integer" } }, { name: "n", type: "integer" }),
  });
  const body = `${createField("l", "1")}${createField("n", "2")}${createField("l", "3")}${createField("n", "4")}--b--`;
  expect(await post(url, body)).toMatchObject({ status: 200, body: { body: { l: [1, 3], n: [2, 4] } } });
});

test("all contents of FormData arrive in pieces of any size", async () => {
  const seed = takeSeed();
  const random = new Random(seed);
  const url = await serve({ operation: UPLOAD, handler: listParts, options: { bodyLimit: 10_000_000 } });
  for (let round = 0; round < 60; round += 1) {
    const form = new FormData();
    const expected: unknown[] = [];
    for (let count = random.below(5); count > 0; count -= 1) {
      const name = randomText(random, 6);
      if (random.below(2) === 0) {
        const value = randomText(random, 30).replaceAll("\0", "");
        form.append(name, value);
        expected.push([decodeName(normalizeLineEnds(name)), null, normalizeLineEnds(value)]);
      } else {
        const content = randomBytes(random, 200);
        const filename = randomText(random, 8);
        form.append(name, new File([content], filename));
        // A Blob without a name gets none.
        expected.push([
          decodeName(normalizeLineEnds(name)),
          decodeName(filename) || null,
          content.toString("latin1"),
        ]);
      }
    }
    const sent = new Response(form);
    const bytes = Buffer.from(await sent.arrayBuffer());
    const received = await postInPieces(
      url,
      bytes,
      sent.headers.get("content-type") ?? "",
      () => 1 + random.below(40),
    );
    expect(received, `SEED=${seed}, round ${round}`).toEqual(expected);
  }
});

test("a file without a content type consists of bytes", async () => {
  const url = await serve({
    operation: UPLOAD,
    handler: async ({ body }) => {
      const types: unknown[] = [];
      // The cast: a multipart body with files is this.
      for await (const { contentType } of body as Parts) types.push(contentType);
      return { status: 200, body: types };
    },
  });
  const disposition = 'Content-Disposition: form-data; name="a"; filename=""';
  const body = lines(
    "--b",
    disposition,
    "",
    "1",
    "--b",
    disposition,
    "Content-Type: text/csv",
    "",
    "1",
    "--b--",
  );
  expect((await post(url, body)).body).toEqual(["application/octet-stream", "text/csv"]);
});

test.each([
  ["application/octet-stream", true],
  ["Image/PNG", true],
  ["audio/mpeg", true],
  ["video/mp4", true],
  ["font/woff2", true],
  ["text/csv", false],
])("a part of type %s without a file name and a declaration is a file: %s", async (type, isFile) => {
  const url = await serve({
    operation: UPLOAD,
    handler: async ({ body }) => {
      const files: boolean[] = [];
      // The cast: a multipart body with files is this.
      for await (const { stream } of body as Parts) files.push(stream !== undefined);
      return { status: 200, body: files };
    },
  });
  const head = `Content-Disposition: form-data; name="a"\r\nContent-Type: ${type}`;
  expect((await post(url, lines("--b", head, "", "1", "--b--"))).body).toEqual([isFile]);
});

/** Normalizes line ends in names and texts like FormData. */
function normalizeLineEnds(text: string): string {
  return text.replace(/\r\n?|\n/g, "\r\n");
}

/** Decodes escapes in a name, where a literal `%22` is indistinguishable from an escaped quote. */
function decodeName(text: string): string {
  return text.replace(/%(0A|0D|22)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const SIGNS = [
  "a",
  "-",
  "--",
  "\r\n",
  "\n",
  "\r",
  '"',
  "%",
  "ü",
  "🚀",
  "=",
  ";",
  " ",
  "\\",
  ":",
  "\r\n--",
  "0",
  "%0A",
  "%22",
];

function randomText(random: Random, most: number): string {
  return Array.from({ length: random.below(most) }, () => random.pick(SIGNS)).join("");
}

function randomBytes(random: Random, most: number): Buffer<ArrayBuffer> {
  return Buffer.from(Array.from({ length: random.below(most) }, () => random.pick([13, 10, 45, 0, 255, 97])));
}

/** Posts bytes in small pieces. */
function postInPieces(url: string, bytes: Buffer, type: string, size: () => number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sending = httpRequest(
      `${url}/things`,
      { method: "POST", headers: { "content-type": type } },
      (response) => {
        buffer(response).then((body) => resolve(JSON.parse(body.toString())), reject);
      },
    );
    sending.once("error", reject).setNoDelay();
    let at = 0;
    const more = (): void => {
      if (at >= bytes.length) return void sending.end();
      const end = at + size();
      sending.write(bytes.subarray(at, end));
      at = end;
      setImmediate(more);
    };
    more();
  });
}

const SIZE = 200 * 1024 * 1024;

test("200 MB pass through without being buffered", async () => {
  let total = 0;
  let most = 0;
  const url = await serve({
    operation: declareFields({ name: "file", type: "string", file: true }),
    options: { uploadLimit: 2 * SIZE },
    handler: async ({ body }) => {
      // The cast: a multipart body with files is this.
      for await (const { stream } of body as Parts) {
        for await (const chunk of stream as Readable) {
          total += (chunk as Buffer).length;
          most = Math.max(most, process.memoryUsage.rss());
        }
      }
      return { status: 200, body: total };
    },
  });
  const chunk = Buffer.alloc(64 * 1024, "x");
  function* pieces(size: number): Generator<Buffer> {
    yield Buffer.from(lines("--b", 'Content-Disposition: form-data; name="file"; filename="f"', "", ""));
    for (let sent = 0; sent < size; sent += chunk.length) yield chunk;
    yield Buffer.from("\r\n--b--\r\n");
  }
  const send = (size: number): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = { "content-type": "multipart/form-data; boundary=b" };
      const sending = httpRequest(`${url}/things`, { method: "POST", headers }, (response) => {
        buffer(response).then((body) => resolve(body.toString()), reject);
      });
      Readable.from(pieces(size)).pipe(sending).once("error", reject);
    });
  // Warms up, because sender and receiver share this process, and both use memory for any body.
  await send(SIZE / 10);
  total = 0;
  most = 0;
  const before = process.memoryUsage.rss();
  expect(Number(await send(SIZE))).toBe(SIZE);
  console.log(`200 MB: memory grew by ${((most - before) / 1024 / 1024).toFixed(0)} MB`);
  expect(most - before).toBeLessThan(40 * 1024 * 1024);
});

test("the connection of a body without files that is refused can be used again", async () => {
  const field: HttpField = { name: "a", type: "string", style: "form", explode: true };
  const url = await serve({ operation: declareFields(field) });
  const body = `${createField("a", "1".repeat(2_000_000))}--b--\r\n`;
  const head = "POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\n";
  const large = `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
  const last = `${head}Content-Length: 5\r\nConnection: close\r\n\r\n--b--`;
  const responses = await raw(url, [large, last]);
  expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413", "HTTP/1.1 200"]);
});

test("requesting the next part closes the stream of a file that was not read to its end", async () => {
  const url = await serve({
    operation: UPLOAD,
    handler: async ({ body }) => {
      const streams: Readable[] = [];
      // The cast: a multipart body with files is this.
      for await (const { stream } of body as AsyncIterable<{ stream: Readable }>) {
        stream.read(0);
        streams.push(stream);
      }
      return { status: 200, body: streams.map(({ destroyed }) => destroyed) };
    },
  });
  const part = lines("--b", 'Content-Disposition: form-data; name="f"; filename="f"', "", "x", "");
  expect((await post(url, `${part}${part}--b--`)).body).toEqual([true, true]);
});

test("the limit of collect() applies to fields that follow a file too", async () => {
  const handler = async ({ body }: HttpRequest): Promise<HttpResponse> => {
    // The cast: a multipart body with files is this.
    const values = await (body as MultipartBody).collect(10_000);
    return { status: 200, body: Object.keys(values) };
  };
  const url = await serve({ operation: UPLOAD, handler, options: { uploadLimit: 10_000 } });
  const file = lines(
    "--b",
    'Content-Disposition: form-data; name="f"; filename="f"',
    "",
    "x".repeat(2000),
    "",
  );
  expect(await post(url, `${file}${createField("title", "t")}--b--`)).toMatchObject({
    status: 200,
    body: ["f", "title"],
  });
});

test.for([String.raw`form-data; name="a"; filename*=UTF-8''a%00b`, 'form-data; name="a\0b"'])(
  "refuses U+0000 in %j",
  async (disposition) => {
    const url = await serve({ operation: UPLOAD, handler: listParts });
    const part = lines("--b", `Content-Disposition: ${disposition}`, "", "1", "--b--");
    expect(await post(url, part)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("the character U+0000") },
    });
  },
);
