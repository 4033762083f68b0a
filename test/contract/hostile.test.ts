import { describe, expect, test } from "vitest";
import { raw } from "../toolkit/http/server.js";
import { addPage, connect, type Connected, readError, title } from "../support/contract.js";

/** Creates JSON text with a number of levels. */
function nest(open: string, close: string, depth: number): string {
  return open.repeat(depth) + close.repeat(depth);
}

function getHead(response: string): string {
  return response.slice(0, response.indexOf("\r\n\r\n"));
}

describe("JSON that is nested deeply", () => {
  const SHAPES: Record<string, (depth: number) => string> = {
    lists: (depth) => nest("[", "]", depth),
    objects: (depth) => nest('{"a":', "}", depth).replace(":}", ":1}"),
    blocks: (depth) => `{"children":[${nest('{"paragraph":{"rich_text":[],"children":[', "]}}", depth)}]}`,
    filters: (depth) => `{"filter":${nest('{"and":[', "]}", depth)}}`,
  };

  test.each([1e3, 1e4, 1e5, 1e6])("%d levels of arrays or objects are refused", async (depth) => {
    const connected = await connect();
    const page = await addPage(connected);
    for (const [method, path] of [
      ["POST", "/v1/pages"],
      ["PATCH", `/v1/blocks/${page}/children`],
      ["POST", `/v1/databases/${connected.rootDatabaseId}/query`],
    ] as const) {
      for (const shape of Object.values(SHAPES)) {
        const body = shape(depth);
        const response = await connected.send(method, path, body);
        const { code } = await readError(response);
        const status = body.length > 512_000 ? 413 : 400;
        expect([response.status, code]).toEqual([status, "validation_error"]);
      }
    }
  });
});

describe("names of Object.prototype", () => {
  const NAMES = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf"];

  test("are refused everywhere like unknown names, and change no prototype", async () => {
    const connected = await connect();
    const page = await addPage(connected);
    const before = Object.getOwnPropertyNames(Object.prototype).toSorted();
    for (const name of NAMES) {
      const key = JSON.stringify(name);
      const value = `{"polluted":true,"prototype":{"polluted":true}}`;
      const database = connected.rootDatabaseId;
      const bodies = [
        ["POST", "/v1/pages", `{${key}:${value}}`],
        ["POST", "/v1/pages", `{"parent":{"database_id":"${database}",${key}:${value}},"properties":{}}`],
        ["POST", "/v1/pages", `{"parent":{"database_id":"${database}"},"properties":{${key}:${value}}}`],
        ["PATCH", `/v1/pages/${page}`, `{"properties":{"Title":{${key}:${value}}}}`],
        ["PATCH", `/v1/pages/${page}`, `{"icon":{${key}:${value}}}`],
        ["PATCH", `/v1/blocks/${page}/children`, `{"children":[{${key}:${value}}]}`],
        ["POST", `/v1/databases/${database}/query`, `{"filter":{${key}:${value}}}`],
        [
          "POST",
          `/v1/databases/${database}/query`,
          `{"filter":{"property":${key},"number":{"is_empty":true}}}`,
        ],
        [
          "POST",
          `/v1/databases/${database}/query`,
          `{"sorts":[{"property":${key},"direction":"ascending"}]}`,
        ],
        ["PATCH", `/v1/databases/${database}`, `{"properties":{${key}:{${key}:{}}}}`],
      ] as const;
      for (const [method, path, body] of bodies) {
        const response = await connected.send(method, path, body);
        expect([response.status, method, path, body]).toEqual([400, method, path, body]);
      }
      for (const query of [
        `${name}=1`,
        `${name}[polluted]=1`,
        `${name}.polluted=1`,
        `page_size[${name}]=1`,
      ]) {
        expect((await connected.send("GET", `/v1/users?${query}`)).status).toBeLessThan(500);
      }
      expect((await connected.send("GET", `/v1/pages/${page}?filter_properties=${name}`)).status).toBe(400);
    }
    expect(Object.getOwnPropertyNames(Object.prototype).toSorted()).toEqual(before);
    expect("polluted" in {}).toBe(false);
  });
});

describe("invalid text", () => {
  test("in a body is refused and never stored", async () => {
    const connected = await connect();
    const page = await addPage(connected);
    const createBody = (text: string): string =>
      `{"properties":{"Title":{"title":[{"text":{"content":"a${text}b"}}]}}}`;
    const bad: readonly (readonly [string | Uint8Array, string])[] = [
      [createBody(String.raw`\ud83d`), "validation_error"],
      [createBody(String.raw`\ude00\ud83d`), "validation_error"],
      [createBody(String.raw`\u0000`), "validation_error"],
      [createBody("\0"), "invalid_json"],
      ...[[0xff], [0xc3, 0x28], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]].map((bytes) => {
        const [before = "", after = ""] = createBody("|").split("|");
        const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
        return [body, "invalid_json"] as const;
      }),
    ];
    for (const [body, code] of bad) {
      const response = await connected.send("PATCH", `/v1/pages/${page}`, body);
      expect(await readError(response)).toMatchObject({ status: 400, code });
    }
    const { body } = await connected.client.retrievePage({ path: { page_id: page } });
    expect(body.properties.Title).toMatchObject({ title: [{ plain_text: "Page" }] });
  });

  test("in a URL is refused", async () => {
    const connected = await connect();
    const page = await addPage(connected);
    for (const text of ["%00", "%ff", "%C3%28", "%ED%A0%80", "a%00b"]) {
      for (const path of [
        `/v1/pages/${text}`,
        `/v1/pages/${page}/properties/${text}`,
        `/v1/pages/${page}?filter_properties=${text}`,
        `/v1/blocks/${page}/children?start_cursor=${text}`,
        `/v1/users?page_size=${text}`,
      ]) {
        expect([path, (await connected.send("GET", path)).status]).toEqual([
          path,
          path.includes("/properties/") ? expect.toSatisfy((status) => [400, 404].includes(status)) : 400,
        ]);
      }
    }
  });
});

describe("request smuggling", () => {
  test("a line break in an id, a name or a cursor adds no header", async () => {
    const connected = await connect();
    const breaks = "%0d%0aX-Injected:%201%0d%0a%0d%0a";
    const page = await addPage(connected, "\r\nX-Injected: 1\r\n\r\n");
    for (const path of [
      `/v1/pages/${page}`,
      `/v1/pages/${breaks}`,
      `/v1/pages/${page}?filter_properties=${breaks}`,
      `/v1/blocks/${page}/children?start_cursor=${breaks}`,
      `/v1/${breaks}`,
      `/settings/${breaks}`,
      `/sign-in?next=${breaks}`,
    ]) {
      const response = await raw(connected.baseUrl, [
        `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${connected.key}\r\nConnection: close\r\n\r\n`,
      ]);
      expect(getHead(response)).toMatch(/^HTTP\/1\.1 [234]/);
      expect(getHead(response)).not.toMatch(/X-Injected/i);
    }
  });

  const CHUNKED = "Transfer-Encoding: chunked";
  test.each([
    ["a length and chunks", `Content-Length: 4\r\n${CHUNKED}`],
    ["chunks and a length", `${CHUNKED}\r\nContent-Length: 4`],
    ["two lengths", "Content-Length: 4\r\nContent-Length: 5"],
    ["a length with a sign", "Content-Length: +4"],
    ["a list of lengths", "Content-Length: 4, 4"],
    ["a length with a space before the colon", "Content-Length : 4"],
    ["an unknown transfer encoding", "Transfer-Encoding: xchunked"],
    ["chunked that is not the last encoding", "Transfer-Encoding: chunked, identity"],
    ["a space before the colon", "Transfer-Encoding : chunked"],
    ["a folded header line", `Transfer-Encoding:\r\n chunked\r\nContent-Length: 4`],
    ["a bare line feed", "X: a\nTransfer-Encoding: chunked"],
    ["a NUL in a header", "X: a\0b"],
  ])("%s: refused, and the following bytes are not a request", async (_, lines) => {
    const connected = await connect();
    const authorization = `Authorization: Bearer ${connected.key}`;
    const response = await raw(connected.baseUrl, [
      `POST /v1/search HTTP/1.1\r\nHost: a\r\n${authorization}\r\nContent-Type: application/json\r\n${lines}\r\n\r\n` +
        `0\r\n\r\nGET /v1/users/me HTTP/1.1\r\nHost: a\r\n${authorization}\r\n\r\n`,
    ]);
    expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
  });

  test("10,000 query parameters are refused or ignored, and the next request succeeds", async () => {
    const connected = await connect();
    const sendQuery = (query: string): Promise<string> =>
      raw(connected.baseUrl, [
        // The format of API errors does not depend on the Accept header.
        `GET /v1/users?${query} HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\nAuthorization: Bearer ${connected.key}\r\nConnection: close\r\n\r\n`,
      ]);
    // More than 16 KB before the body are refused for any request.
    const tooLong = await sendQuery("a=1&".repeat(10_000));
    expect(getHead(tooLong)).toMatch(/^HTTP\/1\.1 431 /);
    // The response has the error format and the headers of every response, without access for scripts of other origins.
    expect(JSON.parse(tooLong.slice(getHead(tooLong).length))).toEqual({
      object: "error",
      status: 431,
      code: "invalid_request",
      message:
        "The URL and headers of a request can have at most 16 KB together. Send fewer or shorter headers and cookies.",
      request_id: /X-Request-Id: (\S+)/.exec(tooLong)?.[1],
    });
    expect(getHead(tooLong)).toMatch(/X-RateLimit-Remaining: \d+/);
    expect(getHead(tooLong)).not.toMatch(/Access-Control/i);
    expect(await sendQuery("a&".repeat(7000))).toMatch(/^HTTP\/1\.1 200 /);
    expect(await sendQuery("page_size=1&".repeat(1000))).toMatch(/^HTTP\/1\.1 400 /);
    expect((await connected.send("GET", "/v1/users")).status).toBe(200);
  });
});

test("pipelined requests are executed in order, and their responses are in order", async () => {
  const connected = await connect();
  const id = await addPage(connected, "0");
  const head = (method: string, path: string): string =>
    `${method} ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${connected.key}\r\n`;
  const requests = Array.from({ length: 20 }, (_, index) => {
    const body = JSON.stringify({ properties: { Title: title(`title ${index}`) } });
    return (
      `${head("PATCH", `/v1/pages/${id}`)}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}` +
      `${head("GET", `/v1/pages/${id}`)}${index === 19 ? "Connection: close\r\n" : ""}\r\n`
    );
  });
  const responses = await raw(connected.baseUrl, requests);
  expect(responses.match(/HTTP\/1\.1 \d+/g)).toEqual(Array.from({ length: 40 }, () => "HTTP/1.1 200"));
  const titles = responses.match(/"plain_text":"title \d+"/g);
  expect(titles).toEqual(Array.from({ length: 40 }, (_, index) => `"plain_text":"title ${index >> 1}"`));
});

test("a wrong Content-Length affects no other request", async () => {
  const connected = await connect();
  const write = (connected_: Connected, length: number, text: string): string =>
    `POST /v1/pages HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${connected_.key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${text}`;
  const text = JSON.stringify({
    parent: { database_id: connected.rootDatabaseId },
    properties: { Title: title("a") },
  });
  const long = await raw(connected.baseUrl, [write(connected, text.length - 1, text)]);
  expect(new Set(long.match(/HTTP\/1\.1 \d+/g))).toEqual(new Set(["HTTP/1.1 400"]));
  const announced = await raw(connected.baseUrl, [write(connected, 100_000_000, text)], "request_id");
  expect(announced).toMatch(/^HTTP\/1\.1 413 /);
  const { body } = await connected.client.queryDatabase({
    path: { database_id: connected.rootDatabaseId },
    body: {},
  });
  expect(body.results).toEqual([]);
});
