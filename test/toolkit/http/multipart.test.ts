import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import type { HttpField, HttpOperation, HttpRequest, HttpResponse } from "../../../src/http/index.js";
import { Random, takeSeed } from "../../support/random.js";
import { ask, serve } from "./server.js";

type Parts = AsyncIterable<Record<string, unknown>>;

const UPLOAD: Partial<HttpOperation> = {
  method: "POST",
  body: { required: true, mediaTypes: { "multipart/form-data": "multipart" } },
};

function fields(...declared: HttpField[]): Partial<HttpOperation> {
  return {
    method: "POST",
    body: {
      required: true,
      mediaTypes: { "multipart/form-data": "multipart" },
      fields: { "multipart/form-data": declared },
    },
  };
}

/** Every part: its name, its file name, and its content as text of bytes. */
async function parts({ body }: HttpRequest): Promise<HttpResponse> {
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
  return ask(`${url}/things`, { method: "POST", headers: { "content-type": type }, body: bytes });
}

const lines = (...all: string[]): string => all.join("\r\n");
const field = (name: string, value: string): string =>
  lines("--b", `Content-Disposition: form-data; name="${name}"`, "", value, "");

describe("taken", () => {
  test.for<[string, string, unknown[]]>([
    ["no part", "--b--\r\n", []],
    ["nothing after the end", lines("--b", 'content-disposition: form-data; name="a"', "", "1", "--b--"), [["a", null, "1"]]], // prettier-ignore
    ["text before and after", `before\r\n${field("a", "1")}--b--\r\nafter --b`, [["a", null, "1"]]],
    ["spaces behind the boundary", `--b \t\r\n${field("a", "1").slice(5)}--b--`, [["a", null, "1"]]],
    ["empty content", `${field("a", "")}--b--`, [["a", null, ""]]],
    ["no content", lines("--b", "Content-Disposition: form-data; name=a", "", "--b--"), [["a", null, ""]]],
    [
      "what looks like a boundary",
      `${field("a", "-b\r\n-\r\n--\r--b")}--b--`,
      [["a", null, "-b\r\n-\r\n--\r--b"]],
    ],
    ["names without quotes", lines("--b", "CONTENT-DISPOSITION:form-data;name=a;filename=x.txt", "", "1", "--b--"), [["a", "x.txt", "1"]]], // prettier-ignore
    ["escapes with backslashes", lines("--b", String.raw`Content-Disposition: form-data; name="a\"b"; filename="C:\x\y"`, "", "1", "--b--"), [['a"b', String.raw`C:\x\y`, "1"]]], // prettier-ignore
    ["escapes with percent", lines("--b", 'Content-Disposition: form-data; name="a%22%0D%0Ab%41"', "", "1", "--b--"), [['a"\r\nb%41', null, "1"]]], // prettier-ignore
    ["no escape but those of forms, as they write them", lines("--b", 'Content-Disposition: form-data; name="%0a%2f%0A"', "", "%0A%22", "--b--"), [["%0a%2f\n", null, "%0A%22"]]], // prettier-ignore
    ["a name in RFC 5987", lines("--b", "Content-Disposition: form-data; name=a; filename*=UTF-8''%C3%BC.txt", "", "1", "--b--"), [["a", "ü.txt", "1"]]], // prettier-ignore
    ["the extended name before the plain one", lines("--b", "Content-Disposition: form-data; name=a; filename*=UTF-8''%C3%BC.txt; filename=u.txt", "", "1", "--b--"), [["a", "ü.txt", "1"]]], // prettier-ignore
    ["names of prototypes", `${field("__proto__", "1")}${field("constructor", "2")}--b--`, [["__proto__", null, "1"], ["constructor", null, "2"]]], // prettier-ignore
    ["a path as file name, as it is", lines("--b", 'Content-Disposition: form-data; name="f"; filename="../../etc/passwd"', "", "1", "--b--"), [["f", "../../etc/passwd", "1"]]], // prettier-ignore
  ])("%s", async ([, body, expected]) => {
    const url = await serve({ operation: UPLOAD, handler: parts });
    expect(await post(url, body)).toMatchObject({ status: 200, body: expected });
  });

  test("a boundary in quotes, with signs", async () => {
    const url = await serve({ operation: UPLOAD, handler: parts });
    const body = field("a", "1").replace("--b", "--a b:c") + "--a b:c--";
    const answer = await post(url, body, 'multipart/form-data; x=y; boundary="a b:c"');
    expect(answer).toMatchObject({ status: 200, body: [["a", null, "1"]] });
  });
});

describe("refused", () => {
  const head = 'Content-Disposition: form-data; name="a"';
  test.for<[string, string, number, RegExp]>([
    ["nothing but text", "text", 400, /ends before its last boundary/],
    ["no last boundary", field("a", "1"), 400, /ends before its last boundary/],
    ["cut off in the headers", lines("--b", head), 400, /ends before its last boundary/],
    ["another boundary", field("a", "1").replace("--b", "--c") + "--c--", 400, /ends before/],
    ["a longer boundary", `--bb\r\n${head}\r\n\r\n1\r\n--b--`, 400, /begins with the boundary and continues/],
    [
      "no Content-Disposition",
      lines("--b", "X: y", "", "1", "--b--"),
      400,
      /Content-Disposition header with a `name`/,
    ],
    ["no name", lines("--b", "Content-Disposition: form-data", "", "1", "--b--"), 400, /with a `name`/],
    [
      "a header that is none",
      lines("--b", "not a header", head, "", "1", "--b--"),
      400,
      /that is not a header/,
    ],
    ["a folded header", lines("--b", head, " more", "", "1", "--b--"), 400, /that is not a header/],
    ["headers without end", `--b\r\n${head}\r\nX: ${"y".repeat(20_000)}`, 400, /longer than 16384 bytes/],
    ["a transfer encoding", lines("--b", head, "Content-Transfer-Encoding: base64", "", "MQ==", "--b--"), 400, /base64 is not supported/], // prettier-ignore
    ["another charset", lines("--b", head, "Content-Type: text/plain; charset=latin1", "", "1", "--b--"), 415, /Unsupported charset latin1/], // prettier-ignore
    ["text that is not UTF-8", `${field("a", "\xff")}--b--`, 400, /body\.a should be valid UTF-8/],
    ["text with NUL", `${field("a", "x\0")}--b--`, 400, /without NUL/],
    ["a name that is not UTF-8", `${field("\xff", "1")}--b--`, 400, /UTF-8/],
    ["thousands of parts", `${field("a", "").repeat(1001)}--b--`, 413, /more than 1000 parts/],
  ])("%s", async ([, body, status, message]) => {
    const url = await serve({ operation: UPLOAD, handler: parts, options: { bodyLimit: 1_000_000 } });
    const answer = await post(url, body);
    expect(answer).toMatchObject({ status, body: { message: expect.stringMatching(message) } });
  });

  test.for([
    "multipart/form-data",
    "multipart/form-data; boundary=",
    `multipart/form-data; boundary=${"b".repeat(71)}`,
  ])("no boundary to go by: %s", async (type) => {
    const url = await serve({ operation: UPLOAD, handler: parts });
    expect(await post(url, "--b--", type)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("`boundary`") },
    });
  });

  test("what a client that leaves in the middle has sent; the handler is told", async () => {
    let tell: (error: unknown) => void = () => {};
    const told = new Promise<unknown>((resolve) => (tell = resolve));
    const handler = (request: HttpRequest): Promise<HttpResponse> => {
      setTimeout(() => socket.destroy(), 50);
      return parts(request).catch((error: unknown) => {
        tell(error);
        throw error;
      });
    };
    const url = await serve({ operation: UPLOAD, handler });
    const start = "POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b";
    const file = lines("--b", 'Content-Disposition: form-data; name="f"; filename="f"', "", "begun");
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write(`${start}\r\nContent-Length: 500\r\n\r\n${file}`);
    expect(String(await told)).toContain("The request ended before its body did");
  });
});

test("a repeated field is a list where one is declared, and else not what is expected", async () => {
  const url = await serve({
    operation: fields({ name: "l", type: "array", itemType: "integer" }, { name: "n", type: "integer" }),
  });
  const body = `${field("l", "1")}${field("n", "2")}${field("l", "3")}${field("n", "4")}--b--`;
  expect(await post(url, body)).toMatchObject({ status: 200, body: { body: { l: [1, 3], n: [2, 4] } } });
});

test("whatever FormData can hold arrives, in pieces of any size", async () => {
  const seed = takeSeed();
  const random = new Random(seed);
  const url = await serve({ operation: UPLOAD, handler: parts, options: { bodyLimit: 10_000_000 } });
  for (let round = 0; round < 60; round += 1) {
    const form = new FormData();
    const expected: unknown[] = [];
    for (let count = random.below(5); count > 0; count -= 1) {
      const name = textOf(random, 6);
      if (random.below(2) === 0) {
        const value = textOf(random, 30).replaceAll("\0", "");
        form.append(name, value);
        expected.push([unescaped(unified(name)), null, unified(value)]);
      } else {
        const content = bytesOf(random, 200);
        const filename = textOf(random, 8);
        form.append(name, new File([content], filename));
        // Without a name it is given none.
        expected.push([unescaped(unified(name)), unescaped(filename) || null, content.toString("latin1")]);
      }
    }
    const sent = new Response(form);
    const bytes = Buffer.from(await sent.arrayBuffer());
    const received = await inPieces(
      url,
      bytes,
      sent.headers.get("content-type") ?? "",
      () => 1 + random.below(40),
    );
    expect(received, `SEED=${seed}, round ${round}`).toEqual(expected);
  }
});

/** FormData makes one kind of line end of all in names and texts. */
function unified(text: string): string {
  return text.replace(/\r\n?|\n/g, "\r\n");
}

/** Nobody can tell a percent sign of a name itself from one that stands for a quote; contents have no escapes. */
function unescaped(text: string): string {
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

function textOf(random: Random, most: number): string {
  return Array.from({ length: random.below(most) }, () => random.pick(SIGNS)).join("");
}

function bytesOf(random: Random, most: number): Buffer<ArrayBuffer> {
  return Buffer.from(Array.from({ length: random.below(most) }, () => random.pick([13, 10, 45, 0, 255, 97])));
}

/** Posts bytes a few at a time. */
function inPieces(url: string, bytes: Buffer, type: string, size: () => number): Promise<unknown> {
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

test("200 MB go through without being kept", async () => {
  let total = 0;
  let most = 0;
  const url = await serve({
    operation: fields({ name: "file", type: "string", file: true }),
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
  // Sender and receiver are one process here: what both need for any body is not what is asked.
  await send(SIZE / 10);
  total = 0;
  most = 0;
  const before = process.memoryUsage.rss();
  expect(Number(await send(SIZE))).toBe(SIZE);
  console.log(`200 MB: ${((most - before) / 1024 / 1024).toFixed(0)} MB more than before`);
  expect(most - before).toBeLessThan(40 * 1024 * 1024);
});
