import { once } from "node:events";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readBody } from "../../../../src/http/body/body.js";
import { encodeLine } from "../../../../src/http/json-lines.js";
import { findMediaType } from "../../../../src/http/media-types.js";
import { expectCpuTimeBelow } from "../../../support/cpu-time.js";
import type { HttpOperation } from "../../../../src/http/index.js";
import { type Handler, parameter, sendRequest, raw, serve, serveExpress } from "../server.js";

const JSON_BODY = {
  method: "POST",
  body: { required: true, mediaTypes: { "application/json": "json" } },
} satisfies Partial<HttpOperation>;
const JSON_TYPE = { "content-type": "application/json" };

function post(url: string, body: string | Uint8Array, headers: Record<string, string> = JSON_TYPE) {
  // A copy, because fetch does not accept views of shared memory.
  const bytes = typeof body === "string" ? body : new Uint8Array(body);
  return sendRequest(`${url}/things`, { method: "POST", headers, body: bytes });
}

describe("JSON", () => {
  test.for<[string, string | Uint8Array, unknown]>([
    ["an object", '{"a":[1,"é",null,true]}', { a: [1, "é", null, true] }],
    ["a text", '"a"', "a"],
    ["null", "null", null],
    ["a byte order mark at the start", '\uFEFF{"a":1}', { a: 1 }],
    ["the last value of a duplicate key", '{"a":1,"a":2}', { a: 2 }],
    ["100 levels", "[".repeat(100) + "]".repeat(100), JSON.parse("[".repeat(100) + "]".repeat(100))],
    ["a number in 100 levels", `${"[".repeat(100)}1${"]".repeat(100)}`, JSON.parse(`${"[".repeat(100)}1${"]".repeat(100)}`)], // prettier-ignore
    ["lists beside each other", `[${"[[]],".repeat(110)}1]`, [...Array.from({ length: 110 }, () => [[]]), 1]],
    ["brackets in a string, which are not levels", JSON.stringify("[".repeat(200)), "[".repeat(200)],
    ["brackets after an escaped quote", JSON.stringify(`"${"[".repeat(200)}`), `"${"[".repeat(200)}`],
    ["a quote after backslashes", String.raw`["\\\"[[","\\"]`, [String.raw`\"[[`, "\\"]],
    ["a pair of escaped surrogates", String.raw`"\ud83d\ude00"`, "😀"],
    ["a backslash before u", String.raw`"\\u0000"`, String.raw`\u0000`],
  ])("taken: %s", async ([, sent, expected]) => {
    const url = await serve({ operation: JSON_BODY });
    expect(await post(url, sent)).toMatchObject({ status: 200, body: { body: expected } });
  });

  test.for<[string, string | Uint8Array, string, RegExp]>([
    ["only whitespace", " ", "invalid_json", /^Error parsing JSON body: /],
    ["half a document", '{"a":', "invalid_json", /^Error parsing JSON body: (?!SyntaxError)/],
    ["two documents", "{}{}", "invalid_json", /^Error parsing JSON body: /],
    ["NaN", "NaN", "invalid_json", /^Error parsing JSON body: /],
    ["bytes that are not UTF-8", Buffer.from([0x22, 0xff, 0x22]), "invalid_json", /not valid UTF-8/],
    ["an overlong encoding", Buffer.from([0x22, 0xc0, 0x80, 0x22]), "invalid_json", /not valid UTF-8/],
    ["UTF-16", Buffer.from('"a"', "utf16le"), "invalid_json", /./],
    ["101 levels", "[".repeat(101) + "]".repeat(101), "invalid_value", /nested at most 100 levels deep/],
    [
      "101 levels with spaces",
      "[ ".repeat(101) + "]".repeat(101),
      "invalid_value",
      /at most 100 levels deep/,
    ],
    [
      "101 levels after an escaped backslash",
      `["\\\\",${"[".repeat(101)}`,
      "invalid_value",
      /at most 100 levels deep/,
    ],
    ["too many levels", '{"a":['.repeat(160), "invalid_value", /nested at most 100 levels deep/],
    [
      "a lone surrogate",
      String.raw`{"a":["\ud83d"]}`,
      "invalid_value",
      /: body\.a\[0\] has half .* not valid Unicode text/,
    ],
    [
      "a lone surrogate in a key",
      String.raw`{"\uDE00":1}`,
      "invalid_value",
      /: a name in body has half .* not valid Unicode text/,
    ],
    ["NUL", String.raw`{"a":"x\u0000"}`, "invalid_value", /: body\.a has the character U\+0000, which/],
  ])("refused: %s", async ([, sent, reason, message]) => {
    const url = await serve({ operation: JSON_BODY });
    expect(await post(url, sent)).toMatchObject({
      status: 400,
      body: { reason, message: expect.stringMatching(message) },
    });
  });

  test("treats a key named __proto__ like any other key", async () => {
    const url = await serve({
      operation: JSON_BODY,
      handler: async ({ body }) => ({
        status: 200,
        body: { own: Object.keys(Object(body)), polluted: "x" in {} },
      }),
    });
    expect((await post(url, '{"__proto__":{"x":1}}')).body).toEqual({ own: ["__proto__"], polluted: false });
  });
});

describe("no body", () => {
  test("is refused if it is required, with any Content-Type", async () => {
    const url = await serve({ operation: JSON_BODY });
    for (const headers of [{}, JSON_TYPE]) {
      expect(await sendRequest(`${url}/things`, { method: "POST", headers })).toMatchObject({
        status: 400,
        body: { reason: "missing_body", message: expect.stringContaining("body should be defined") },
      });
    }
  });

  test("is accepted if the body is optional", async () => {
    const url = await serve({ operation: { ...JSON_BODY, body: { required: false, mediaTypes: {} } } });
    expect((await sendRequest(`${url}/things`, { method: "POST" })).body).toEqual({});
  });

  test.each(["", "Content-Type: application/json\r\n"])("can be chunked: %j", async (contentType) => {
    const chunked = `POST /things HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n${contentType}\r\n`;
    const optional = await serve({
      operation: { ...JSON_BODY, body: { ...JSON_BODY.body, required: false } },
    });
    expect(await raw(optional, [`${chunked}0\r\n\r\n`])).toMatch(/ 200 OK\r\n.*\r\n\r\n\{\}$/s);
    const required = await serve({ operation: JSON_BODY });
    expect(await raw(required, [`${chunked}0\r\n\r\n`])).toContain("missing_body");
    const result = contentType === "" ? "The request has a body but no Content-Type" : '{"body":12}';
    expect(await raw(required, [`${chunked}2\r\n12\r\n0\r\n\r\n`])).toContain(result);
  });

  test.each([
    ["text/plain", "text", ""],
    ["application/x-www-form-urlencoded", "form", {}],
  ] as const)("of %s is one that is empty", async (contentType, kind, expected) => {
    const url = await serve({
      operation: { method: "POST", body: { required: true, mediaTypes: { [contentType]: kind } } },
    });
    expect((await post(url, "", { "content-type": contentType })).body).toEqual({ body: expected });
  });

  test("of multipart/form-data is missing, because even a body without parts has a boundary", async () => {
    const mediaTypes = { "multipart/form-data": "multipart" } as const;
    const url = await serve({ operation: { method: "POST", body: { required: true, mediaTypes } } });
    expect(await post(url, "", { "content-type": "multipart/form-data; boundary=B" })).toMatchObject({
      status: 400,
      body: { reason: "missing_body" },
    });
  });

  test("is not read if the operation declares none", async () => {
    const url = await serve({ operation: { method: "POST" } });
    expect(await post(url, "{", {})).toMatchObject({ status: 200, body: {} });
  });
});

describe("Content-Type and Content-Encoding", () => {
  test.for([
    "application/json",
    "application/json; charset=utf-8",
    "application/json; charset=utf8",
    "Application/JSON",
    " application/json ;charset=UTF-8",
    "application/json; charset=US-ASCII",
    'application/json; charset="ascii"',
  ])("taken: %s", async (type) => {
    const url = await serve({ operation: JSON_BODY });
    expect(await post(url, '{"a":1}', { "content-type": type })).toMatchObject({ body: { body: { a: 1 } } });
  });

  test.for(["text/plain", "application/jsonp", "application/json-patch+json", "application/*", "*/*", ","])(
    "refused: %s",
    async (type) => {
      const url = await serve({ operation: JSON_BODY });
      expect(await post(url, "{}", { "content-type": type })).toMatchObject({
        status: 415,
        body: {
          reason: "unsupported_media_type",
          message: expect.stringContaining("send application/json."),
        },
      });
    },
  );

  test.for(["charset=latin1", 'charset="UTF-16"', "Charset=latin1"])("%s is refused", async (charset) => {
    const url = await serve({ operation: JSON_BODY });
    expect(await post(url, '{"a":1}', { "content-type": `application/json; ${charset}` })).toMatchObject({
      status: 415,
      body: { message: expect.stringContaining("send the body in UTF-8") },
    });
  });

  test.for(["text/plain", "application/x-www-form-urlencoded"] as const)(
    "refuses %s that is not UTF-8, without a word about JSON",
    async (type) => {
      const mediaTypes = { [type]: type === "text/plain" ? "text" : "form" } as const;
      const url = await serve({ operation: { method: "POST", body: { required: true, mediaTypes } } });
      expect(await post(url, Buffer.from([0x61, 0x3d, 0xff]), { "content-type": type })).toMatchObject({
        status: 400,
        body: { reason: "invalid_value", message: "The body is not valid UTF-8." },
      });
    },
  );

  test.each(["application/json", "*/*"])(
    "refuses a body without Content-Type where %s is declared",
    async (type) => {
      const mediaTypes = { [type]: "json" } as const;
      const url = await serve({ operation: { method: "POST", body: { required: true, mediaTypes } } });
      const response = await raw(url, [
        "POST /things HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
      ]);
      expect(response).toMatch(/^HTTP\/1.1 415 /);
      expect(response).toContain("no Content-Type");
    },
  );

  test("the message about a long Content-Type shows its start", async () => {
    const url = await serve({ operation: JSON_BODY });
    expect(await post(url, "{}", { "content-type": `a/${"b".repeat(200)}` })).toMatchObject({
      body: { message: `Unsupported content type a/${"b".repeat(98)}…; send application/json.` },
    });
  });

  test("selects the declared media type of the request; wildcards match the other types", async () => {
    const url = await serve({
      operation: {
        method: "POST",
        body: {
          required: true,
          mediaTypes: {
            "*/*": "text",
            "application/*": "json",
            "application/json": "json",
            "text/*": "text",
            "text/csv": "text",
          },
        },
      },
    });
    const seen = async (type: string) => (await post(url, '"é"', { "content-type": type })).body;
    expect(await seen("application/json")).toEqual({ contentType: "application/json", body: "é" });
    expect(await seen("text/plain")).toEqual({ contentType: "text/plain", body: '"é"' });
    expect(await seen("TEXT/CSV;header=present")).toEqual({ contentType: "text/csv", body: '"é"' });
    expect(await seen("image/PNG; a=b")).toEqual({ contentType: "image/png", body: '"é"' });
    expect(await seen("application/x")).toEqual({ contentType: "application/x", body: "é" });
  });

  test.each([
    ["binary", "image/png"],
    ["json", undefined],
  ] as const)("any media type as %s has the contentType %s", async (kind, contentType) => {
    const url = await serve({
      operation: { method: "POST", body: { required: true, mediaTypes: { "*/*": kind } } },
      handler: async (request) => ({ status: 200, body: [request.contentType] }),
    });
    expect((await post(url, "1", { "content-type": "image/png" })).body).toEqual([contentType ?? null]);
  });

  test("refuses a compressed body, but accepts the encoding identity", async () => {
    const url = await serve({ operation: JSON_BODY });
    for (const encoding of ["gzip", "br", "gzip, identity", "x"]) {
      expect(await post(url, "{}", { ...JSON_TYPE, "content-encoding": encoding })).toMatchObject({
        status: 415,
        body: { message: expect.stringContaining(`Unsupported content encoding ${encoding}`) },
      });
    }
    for (const encoding of ["identity", "Identity"]) {
      expect(await post(url, "{}", { ...JSON_TYPE, "content-encoding": encoding })).toMatchObject({
        status: 200,
      });
    }
  });
});

test("invalid JSON is reported before an invalid parameter", async () => {
  const url = await serve({ operation: { ...JSON_BODY, parameters: [parameter({ type: "json" })] } });
  expect(
    await sendRequest(`${url}/things?p={`, { method: "POST", headers: JSON_TYPE, body: "{" }),
  ).toMatchObject({
    body: { reason: "invalid_json" },
  });
});

test("reading a body after the response fails, also if the rest of it never arrives", async () => {
  let reading: Promise<unknown> = Promise.resolve();
  const url = await serve({
    operation: {
      method: "POST",
      body: { required: true, mediaTypes: { "application/octet-stream": "binary" } },
    },
    handler: async ({ body }) => {
      // The cast: a binary body is a stream.
      const stream = body as Readable;
      await once(stream, "readable");
      reading = text(stream).catch((error: Error) => error.message);
      // Waits until the stream has asked for more than has arrived.
      await new Promise((resolve) => setImmediate(resolve));
      return { status: 204 };
    },
  });
  await raw(
    url,
    [
      "POST /things HTTP/1.1\r\nHost: a\r\nContent-Type: application/octet-stream\r\nContent-Length: 9\r\n\r\nabc",
    ],
    "HTTP/1.1 204",
  );
  expect(await reading).toBe("The body cannot be read after the response was sent.");
});

test("an error of a stream whose handler listens to no errors does not end the process", async () => {
  const mediaTypes = { "application/octet-stream": "binary" } as const;
  const url = await serve({
    operation: { method: "POST", body: { required: true, mediaTypes } },
    handler: async ({ body }) => {
      // The cast: a binary body is a stream.
      const stream = (body as Readable).resume();
      await new Promise((resolve) => stream.once("close", resolve));
      return { status: 200, body: stream.errored?.name };
    },
  });
  expect(await post(url, "x".repeat(1001), { "content-type": "application/octet-stream" })).toMatchObject({
    body: "InvalidRequestError",
  });
});

describe("in an Express app", () => {
  test("reads a body, or uses the result of express.json()", async () => {
    for (const parsed of [false, true]) {
      const url = await serveExpress({ operation: JSON_BODY }, parsed);
      expect(await post(url, '{"a":1}')).toMatchObject({ status: 200, body: { body: { a: 1 } } });
      expect(await post(url, "[]", { "content-type": "text/plain" })).toMatchObject({ status: 415 });
      expect(await sendRequest(`${url}/things`, { method: "POST" })).toMatchObject({
        body: { reason: "missing_body" },
      });
    }
  });

  test("parses the bytes that middleware has read", async () => {
    const url = await serve({
      operation: JSON_BODY,
      options: {
        async begin({ request }) {
          Object.assign(request, { body: Buffer.from(await text(request)) });
          return undefined;
        },
      },
    });
    expect(await post(url, '{"a":1}')).toMatchObject({ status: 200, body: { body: { a: 1 } } });
  });

  test("uses a body that express.json() has decompressed, and refuses it otherwise", async () => {
    const statuses = [true, false].map(async (parsed) => {
      const url = await serveExpress({ operation: JSON_BODY }, parsed);
      return (await post(url, gzipSync("{}"), { ...JSON_TYPE, "content-encoding": "gzip" })).status;
    });
    expect(await Promise.all(statuses)).toEqual([200, 415]);
  });

  test("reports middleware that has read the body without passing it on", async () => {
    const url = await serve({
      operation: JSON_BODY,
      options: {
        async begin({ request }) {
          for await (const _ of request);
          return undefined;
        },
      },
    });
    expect(await post(url, "{}")).toMatchObject({
      status: 500,
      body: { message: "Error: Middleware has read the body without setting request.body." },
    });
    expect(await post(url, "")).toMatchObject({ status: 400, body: { reason: "missing_body" } });
  });
});

test("parses concurrent large bodies with several turns of the event loop between them", async () => {
  // Five hundred of these at once would delay others for half a second, and a write takes about four turns.
  const body = Buffer.from(JSON.stringify("x".repeat(10_000)));
  let turn = 0;
  let counting = setImmediate(function count() {
    turn += 1;
    counting = setImmediate(count);
  });
  const turns = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const request = new IncomingMessage(new Socket());
      request.headers = { ...JSON_TYPE, "content-length": String(body.length) };
      request.push(body);
      request.push(null);
      await readBody(request, JSON_BODY.body, { bodyLimit: 1e6, uploadLimit: 1e6 }, () => {});
      return turn;
    }),
  );
  clearImmediate(counting);
  const gaps = turns.slice(1).map((each, index) => each - (turns[index] ?? 0));
  expect(gaps).toEqual([4, 4, 4, 4]);
});

test("a request with a large body waits for its turn, and can be refused in it", async () => {
  const waiting: string[] = [];
  const url = await serve({
    operation: JSON_BODY,
    options: {
      bodyLimit: 20_000,
      async awaitBodyTurn(_context, { request }) {
        waiting.push(String(request.headers.name));
        if (request.headers.name === "refused") throw new Error("refused");
      },
    },
  });
  const send = async (name: string, length: number) =>
    (await post(url, JSON.stringify("x".repeat(length)), { ...JSON_TYPE, name })).status;
  // The quotes of the text are two bytes.
  expect(await send("small", 8189)).toBe(200);
  expect(await send("large", 8190)).toBe(200);
  expect(await send("refused", 10_000)).toBe(500);
  expect(waiting).toEqual(["large", "refused"]);
});

test("spaces around the parameters of a media type do not matter", () => {
  const declared = ["application/json; version=1", "application/json; version=2"];
  expect(findMediaType("application/JSON;version=2", declared)).toBe(declared[1]);
  expect(findMediaType("application/json \t;\tversion=2", declared)).toBe(declared[1]);
});

test("a range with a suffix matches only types with the suffix, and a type with parameters matches without them", () => {
  const declared = ["Application/*+json", "text/plain; version=1"];
  expect(findMediaType("application/geo+json", declared)).toBe(declared[0]);
  expect(findMediaType("application/geo+xml", declared)).toBeUndefined();
  expect(findMediaType("text/plain", declared)).toBe(declared[1]);
});

test("16 KB of spaces in a media type take little time", async () => {
  const mediaType = `a/b${" ".repeat(16_000)}c`;
  // 200 ms when the time grows with the square of the length.
  await expectCpuTimeBelow(50, () => findMediaType(mediaType, ["application/json"]));
});

test("a form that is not UTF-8 is refused as a whole", async () => {
  const operation = {
    method: "POST",
    body: { required: true, mediaTypes: { "application/x-www-form-urlencoded": "form" } },
  } as const;
  const url = await serve({ operation });
  const sent = await post(url, "a=%ff", { "content-type": "application/x-www-form-urlencoded" });
  const message = "body failed validation: body should be valid UTF-8, percent-encoded.";
  expect(sent).toMatchObject({ status: 400, body: { reason: "invalid_value", message } });
});

/** Returns the values of a body of JSON lines or of a JSON sequence. */
const readValues: Handler = async ({ body }) => {
  const values: unknown[] = [];
  // The cast: such a body is an async iterable.
  for await (const value of body as AsyncIterable<unknown>) values.push(value);
  return { status: 200, body: values };
};

test("a JSON sequence drops values that may be truncated", async () => {
  const mediaTypes = { "application/json-seq": "sequence" } as const;
  const operation = { method: "POST", body: { required: true, mediaTypes } };
  const url = await serve({ operation, handler: readValues });
  const sent = await post(url, '\u001e1\n\u001e2\u001e"a"\u001etrue \u001e12', {
    "content-type": "application/json-seq",
  });
  expect(sent.body).toEqual([1, "a", true]);
});

test("JSON lines are refused in another charset than UTF-8", async () => {
  const mediaTypes = { "application/jsonl": "lines" } as const;
  const url = await serve({ operation: { method: "POST", body: { required: true, mediaTypes } } });
  const sent = await post(url, "1", { "content-type": "application/jsonl; charset=latin1" });
  expect(sent).toMatchObject({ status: 415, body: { reason: "unsupported_media_type" } });
});

test.each([
  ["application/jsonl", "lines"],
  ["application/octet-stream", "binary"],
] as const)("%s without content is an empty stream", async (contentType, kind) => {
  const operation = { method: "POST", body: { required: true, mediaTypes: { [contentType]: kind } } };
  const url = await serve({ operation, handler: readValues });
  expect(await post(url, "", { "content-type": contentType })).toMatchObject({ status: 200, body: [] });
});

test("the size limit of JSON lines applies to each value", async () => {
  const mediaTypes = { "application/jsonl": "lines" } as const;
  const operation = { method: "POST", body: { required: true, mediaTypes } };
  const url = await serve({ operation, handler: readValues, options: { bodyLimit: 3, uploadLimit: 100 } });
  const headers = { "content-type": "application/jsonl" };
  expect((await post(url, "123\n456\n \n789", headers)).body).toEqual([123, 456, 789]);
  expect(await post(url, "1\n2345\n", headers)).toMatchObject({ body: { reason: "payload_too_large" } });
});

test("undefined in a stream of values is null, as in a list", () => {
  expect(encodeLine(undefined, "lines")).toBe("null\n");
});
