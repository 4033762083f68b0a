import { describe, expect, test } from "vitest";
import type { HttpOperation, HttpResponse } from "../../../../src/http/index.js";
import { startServer } from "../../../support/server.js";
import { sendRequest, raw, routeFor, serve, serveExpress } from "../server.js";

/** Sends a handler's response and returns the HTTP response. */
async function send(reply: HttpResponse, operation: Partial<HttpOperation> = {}): Promise<Response> {
  return fetch(`${await serve({ operation, handler: async () => reply })}/things`);
}

describe("bodies", () => {
  test("are JSON unless the document declares otherwise, with the length in bytes", async () => {
    for (const [body, text] of [
      [{ a: "é" }, '{"a":"é"}'],
      ["a", '"a"'],
      [null, "null"],
      [0, "0"],
      [false, "false"],
      [[], "[]"],
    ] as const) {
      const response = await send({ status: 200, body });
      expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
      expect(await response.text()).toBe(text);
    }
  });

  test("of a media type that only begins like JSON are sent unchanged if they are text", async () => {
    const response = await send({ status: 200, contentType: "application/jsonpath", body: "$.a" });
    expect(await response.text()).toBe("$.a");
  });

  test("are text in UTF-8 with its length in bytes, small and large", async () => {
    for (const body of ["ü🚀", "ü🚀".repeat(20_000)]) {
      const response = await send({ status: 200, body, contentType: "text/plain" });
      expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(body)));
      expect(await response.text()).toBe(body);
    }
  });

  test("have the media type of the reply, the status, the status range or the default, in this order", async () => {
    const responses = {
      200: ["text/plain"],
      "4XX": ["text/html", "text/x"],
      default: ["application/x+json"],
    };
    const type = async (status: number, contentType?: string) => {
      const response = await send(
        { status, body: "a", ...(contentType && { contentType }) },
        { responseMediaTypes: responses },
      );
      return [response.headers.get("content-type"), await response.text()];
    };
    expect(await type(200)).toEqual(["text/plain; charset=utf-8", "a"]);
    expect(await type(404)).toEqual(["text/html; charset=utf-8", "a"]);
    expect(await type(500)).toEqual(["application/x+json", '"a"']);
    expect(await type(200, "Text/HTML")).toEqual(["Text/HTML; charset=utf-8", "a"]);
    expect(await type(200, "text/csv")).toEqual(["text/csv; charset=utf-8", "a"]);
    expect(await type(200, "text/csv;header=absent")).toEqual(["text/csv;header=absent; charset=utf-8", "a"]);
    expect(await type(200, "Text/Plain; Charset=utf-8")).toEqual(["Text/Plain; Charset=utf-8", "a"]);
    expect(await type(200, "application/xml")).toEqual(["application/xml", "a"]);
  });

  test("of a declared range are bytes if they are bytes or a stream, otherwise JSON", async () => {
    const responses = { 200: ["image/*"] };
    const type = async (body: unknown) =>
      (await send({ status: 200, body }, { responseMediaTypes: responses })).headers.get("content-type");
    expect(await type(new Uint8Array([1]))).toBe("application/octet-stream");
    expect(await type(new Blob(["a"]))).toBe("application/octet-stream");
    expect(await type({ a: 1 })).toBe("application/json; charset=utf-8");
  });

  test("have one length and one type, whatever the handler's headers say", async () => {
    for (const body of ["abc", new Blob(["abc"])]) {
      const headers = { "content-length": 3, "content-TYPE": "text/html" };
      const reply = { status: 200, headers, body, contentType: "text/plain" };
      const url = await serve({ operation: {}, handler: async () => reply });
      const response = await raw(url, ["GET /things HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
      expect(response.match(/^content-(length|type): .*$/gim)).toEqual([
        "Content-Length: 3",
        `Content-Type: text/plain${typeof body === "string" ? "; charset=utf-8" : ""}`,
      ]);
      expect(response).toMatch(/\r\n\r\nabc$/);
    }
  });

  test("send bytes unchanged", async () => {
    const bytes = new Uint8Array([0, 255, 13, 10]);
    const response = await send({ status: 200, body: bytes, contentType: "application/octet-stream" });
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
  });

  test("without content have length 0, or no length for statuses without a body", async () => {
    const empty = await send({ status: 201 });
    expect([empty.headers.get("content-length"), empty.headers.get("content-type")]).toEqual(["0", null]);
    for (const status of [204, 304]) {
      const none = await send({ status, body: { a: 1 } });
      expect([none.status, none.headers.get("content-length"), await none.text()]).toEqual([
        status,
        null,
        "",
      ]);
    }
    const reset = await send({ status: 205, body: { a: 1 } });
    expect([reset.headers.get("content-length"), await reset.text()]).toEqual(["0", ""]);
  });

  test("are omitted for HEAD, with the same headers, also if the server refuses them", async () => {
    const route = routeFor({ handler: async () => ({ status: 200, body: { a: 1 } }) });
    const url = await startServer((request, response) => route(request, response, () => {}), {
      rejectNonStandardBodyWrites: true,
    });
    const response = await raw(url, ["HEAD /things HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
    expect(response).toMatch(/\r\nContent-Length: 7\r\n/);
    expect(response).toMatch(/\r\n\r\n$/);
  });
});

describe("headers", () => {
  test("are text, lists with commas, and omitted if undefined", async () => {
    const headers = {
      "X-Number": 1.5,
      "X-True": true,
      "X-List": ["a", 2],
      "X-Nested": ["a", { b: 1 }],
      "X-Object": { a: 1, é: "日\u007f" },
      "X-Zero": 0,
      "X-False": false,
      "X-Empty": "",
      "X-Missing": undefined,
      "X-Null": null,
    };
    const { headers: got } = await send({ status: 200, headers });
    expect([got.get("x-number"), got.get("x-true"), got.get("x-list")]).toEqual(["1.5", "true", "a,2"]);
    expect(got.get("x-nested")).toBe('a,{"b":1}');
    expect([got.get("x-zero"), got.get("x-false"), got.get("x-empty")]).toEqual(["0", "false", ""]);
    // As JSON escapes the characters that headers cannot hold.
    expect(got.get("x-object")).toBe(String.raw`{"a":1,"\u00e9":"\u65e5\u007f"}`);
    expect([got.has("x-missing"), got.has("x-null")]).toEqual([false, false]);
  });

  test("of an object omit members that are null, and cannot have commas", async () => {
    const operation = {
      responseMediaTypes: { 200: [] },
      responseHeaderStyles: { 200: { "X-A": "simple*" } },
    } as const;
    const sent = (value: object) => send({ status: 200, headers: { "X-A": value } }, operation);
    expect((await sent({ a: 1, b: null, c: 2 })).headers.get("x-a")).toBe("a=1,c=2");
    expect((await sent({ a: "1,2" })).status).toBe(500);
  });

  test("have the style of the response with the status, not that of its range or the default", async () => {
    const operation = {
      responseMediaTypes: { 200: [], "4XX": [], default: [] },
      responseHeaderStyles: { default: { "X-A": "json" } },
    } as const;
    const sent = async (status: number) =>
      (await send({ status, headers: { "X-A": "a" } }, operation)).headers.get("x-a");
    expect([await sent(200), await sent(404), await sent(500)]).toEqual(["a", "a", '"a"']);
  });

  test.each(["Set-Cookie", "set-cookie"])("each cookie of %s has its own line", async (name) => {
    const sent = async (value: unknown) =>
      (await send({ status: 200, headers: { [name]: value } })).headers.getSetCookie();
    expect(await sent(["a=1; Expires=Thu, 1", "b=2"])).toEqual(["a=1; Expires=Thu, 1", "b=2"]);
    expect(await sent("a=1; Expires=Thu, 1")).toEqual(["a=1; Expires=Thu, 1"]);
  });

  test("those of begin are in every response; those of a handler take precedence, in any case", async () => {
    const url = await serve({
      operation: { method: "POST", body: { required: true, mediaTypes: { "application/json": "json" } } },
      handler: async () => ({ status: 200, headers: { "x-a": "handler" } }),
      options: {
        begin: ({ headers }) => void Object.assign(headers, { "X-A": "begin", "X-B": "begin" }),
      },
    });
    const good = await fetch(`${url}/things`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "1",
    });
    expect([good.headers.get("x-a"), good.headers.get("x-b")]).toEqual(["handler", "begin"]);
    const bad = await fetch(`${url}/things`, { method: "POST" });
    expect([bad.status, bad.headers.get("x-a"), bad.headers.get("x-b")]).toEqual([400, "begin", "begin"]);
  });
});

describe("an invalid reply", () => {
  const circular: { self?: unknown } = {};
  circular.self = circular;
  const invalidLater = { "X-A": "a", "X-B": "日" };
  test.for<[string, HttpResponse]>([
    ["an invalid header after a valid one", { status: 200, headers: invalidLater, body: { a: 1 } }],
    ["an invalid header of a response without a body", { status: 200, headers: invalidLater }],
    [
      "an invalid header of a stream",
      { status: 200, headers: invalidLater, contentType: "text/plain", body: new Blob(["a"]) },
    ],
    ["a line break in a header", { status: 200, headers: { "X-A": "a\r\nSet-Cookie: b=1" }, body: { a: 1 } }],
    ["an invalid header name", { status: 200, headers: { "X A": "a" } }],
    ["a circular body", { status: 200, headers: { "X-A": "a" }, body: circular }],
    ["a big integer", { status: 200, body: { a: 1n } }],
    ["a function", { status: 200, body: () => 1 }],
    ["an invalid status", { status: 42, body: { a: 1 } }],
    ["an informational status, which ends no response", { status: 101 }],
  ])("gets the complete response of onError: %s", async ([, reply]) => {
    const mount = { handler: async () => reply };
    for (const url of [await serve(mount), await serveExpress(mount, false)]) {
      const { pathname } = new URL(`${url}/things`);
      const response = await raw(url, [`GET ${pathname} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`]);
      expect(response).toMatch(/^HTTP\/1.1 500 Internal Server Error\r\n/);
      expect(response.match(/HTTP\/1.1/g)).toHaveLength(1);
      expect(response).not.toMatch(/^(set-cookie|x-a):/im);
      const body = response.slice(response.indexOf("\r\n\r\n") + 4);
      expect(JSON.parse(body)).toMatchObject({ reason: "bug" });
      expect(response).toContain(`\r\nContent-Length: ${body.length}\r\n`);
    }
  });
});

describe("an error", () => {
  test("of begin, synchronous or not, and of the handler is passed to onError", async () => {
    const bug = new Error("boom");
    for (const mount of [
      { options: { begin: () => Promise.reject(bug) } },
      {
        options: {
          begin: () => {
            throw bug;
          },
        },
      },
      { handler: () => Promise.reject(bug) },
      {
        handler: () => {
          throw bug;
        },
      },
    ]) {
      expect(await sendRequest(`${await serve(mount)}/things`)).toMatchObject({
        status: 500,
        body: { message: "Error: boom" },
      });
    }
  });

  test("of onError, or of encoding its response, is passed to next", async () => {
    for (const onError of [
      () => {
        throw new Error("worse");
      },
      () => ({ status: 500, body: 1n }),
    ]) {
      const url = await serve({ handler: () => Promise.reject(new Error("boom")), options: { onError } });
      const response = await fetch(`${url}/things`);
      expect(response.status).toBe(599);
      expect(await response.text()).toMatch(/worse|BigInt/);
    }
  });

  test("can be undefined", async () => {
    // oxlint-disable-next-line prefer-promise-reject-errors -- handlers may throw anything
    const url = await serve({ handler: () => Promise.reject() });
    expect(await sendRequest(`${url}/things`)).toMatchObject({ status: 500, body: { message: "undefined" } });
  });
});

test("a method as a handler keeps `this` when it is called in a function", async () => {
  class Things {
    readonly #name = "mine";
    async list(): Promise<HttpResponse> {
      return { status: 200, body: this.#name };
    }
  }
  const things = new Things();
  const url = await serve({ handler: () => things.list() });
  expect(await sendRequest(`${url}/things`)).toMatchObject({ status: 200, body: "mine" });
});

test("sends no response if other middleware has started one", async () => {
  const route = routeFor({ handler: async () => ({ status: 200, body: { late: true } }) });
  const problems: unknown[] = [];
  const url = await startServer((request, response) => {
    response.writeHead(202).end("early");
    route(request, response, (error) => problems.push(error));
  });
  const response = await fetch(`${url}/things`);
  expect([response.status, await response.text()]).toEqual([202, "early"]);
  expect(problems).toEqual([]);
});

test("an invalid header leaves those that other middleware has set", async () => {
  const headers = { "x-earlier": "changed", "x-new": "1", "x-invalid": "a\nb" };
  const route = routeFor({ handler: async () => ({ status: 200, headers }) });
  const url = await startServer((request, response) => {
    response.setHeader("X-Earlier", "kept");
    route(request, response, () => response.writeHead(500).end());
  });
  const response = await fetch(`${url}/things`);
  expect(response.status).toBe(500);
  expect([response.headers.get("x-earlier"), response.headers.get("x-new")]).toEqual(["kept", null]);
});

test("responses of the same turn reach the right clients", async () => {
  let release = (): void => {};
  const together = new Promise<void>((resolve) => (release = resolve));
  let waiting = 0;
  const url = await serve({
    at: "/things/:p",
    operation: {
      parameters: [
        { name: "p", in: "path", required: true, style: "simple", explode: false, type: "integer" },
      ],
    },
    handler: async ({ path }) => {
      waiting += 1;
      if (waiting === 20) release();
      await together;
      return { status: 200, body: path };
    },
  });
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, p) => sendRequest(`${url}/things/${p}`)),
  );
  expect(responses.map(({ body }) => body)).toEqual(Array.from({ length: 20 }, (_, p) => ({ p })));
});

test("the response to HEAD has the Content-Length of its handler", async () => {
  const url = await serve({ handler: async () => ({ status: 200, headers: { "Content-Length": 1234 } }) });
  const response = await raw(url, ["HEAD /things HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]);
  expect(response).toContain("\r\nContent-Length: 1234\r\n");
});
