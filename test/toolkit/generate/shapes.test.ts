import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { HttpResponse } from "../../../src/http/index.js";
import { servePair } from "./shapes-server.js";
import { useWorkspace } from "./workspace.js";

const FIXTURES = fileURLToPath(new URL("../../fixtures/generate", import.meta.url));

const workspace = useWorkspace({ file: path.join(FIXTURES, "shapes.yaml") });

test("the generated code compiles in a strict project, and generation reports no problems", () => {
  const files = ["generated/routes.ts", "generated/client.ts", "generated/types.ts"];
  expect(workspace.compile(files)).toEqual([]);
});

/**
 * A value that the client sends and the handler must receive; `url` is its serialization in the request. The styles of
 * parameters are in parameters-wire.test.ts.
 */
const REQUESTS: {
  name: string;
  operation: string;
  request: Record<string, unknown>;
  url?: string;
  headers?: Record<string, string>;
  /** The value at the handler, if it differs from the sent value. */
  received?: Record<string, unknown>;
}[] = [
  {
    name: "no parameter at all",
    operation: "listThings",
    request: {},
    url: "/things",
    received: { query: {} },
  },
  {
    name: "parameters of all styles in one query",
    operation: "listThings",
    request: {
      query: {
        limit: 7,
        archived: false,
        tags: ["a b", "c,d"],
        ids: [1, 2],
        words: ["a", "b"],
        pipes: ["a", "b"],
        filter: { color: "red & blue", size: 3 },
        page: { number: 2, of: "ten" },
        range: { from: 1, to: 2 },
        where: { and: ["b&c"] },
        "odd[name]&=": "x",
      },
    },
  },
  { name: "optional body, left out", operation: "createThing", request: {} },
  {
    name: "optional body, $ref to another file",
    operation: "createThing",
    request: { body: { id: 1, name: null, parts: [{ id: 2 }] } },
  },
  { name: "a literal beside a parameter", operation: "getSpecialThing", request: {}, url: "/things/special" },
  {
    name: "path-level parameters, headers and cookies, no operationId",
    operation: "getThingsByThingId",
    request: {
      path: { thing_id: 5 },
      headers: { "X-Trace": "abc", "X-Sizes": [1, 2], "X-Where": { lat: 1.5, lon: -2 } },
      cookies: { session: "a; b=ü", visits: 3 },
    },
    url: "/things/5",
    headers: { "x-trace": "abc", "x-sizes": "1,2", "x-where": "lat,1.5,lon,-2" },
  },
  {
    name: "a parameter of the operation in place of the path's, and a reserved word as name",
    operation: "delete",
    request: { path: { thing_id: 5 }, headers: { "X-Trace": "abc" } },
    received: { path: { thing_id: 5 }, headers: { "X-Trace": "abc" }, cookies: {} },
  },
  {
    name: "two media types: JSON",
    operation: "putNote",
    request: { path: { thing_id: 5 }, contentType: "application/json", body: { text: "a" } },
  },
  {
    name: "two media types: text",
    operation: "putNote",
    request: { path: { thing_id: 5 }, contentType: "text/plain", body: '{"not": parsed' },
  },
  {
    name: "number in a path, and two parameters in one segment",
    operation: "measure",
    request: { path: { ratio: -1.5, date: "2026-05-04", format: "csv" } },
    url: "/measures/-1.5/at/2026-05-04.csv",
  },
  {
    name: "bytes, and a name that is no identifier",
    operation: "putFile",
    request: { path: { "file-name": "a/b?c#d%" }, body: new Uint8Array([0, 255, 10]) },
    url: "/files/a%2Fb%3Fc%23d%25",
  },
  { name: "a form", operation: "sendForm", request: { body: { a: "1&=+ %", b: "ü" } } },
  {
    name: "bytes whose type looks like JSON",
    operation: "sendLog",
    request: { body: Buffer.from("{}\n{}\n") },
  },
];

const THING = { id: 1, name: "ü" };

/** A value that the handler returns and the client must receive. */
const RESPONSES: {
  name: string;
  operation: string;
  path?: Record<string, unknown>;
  body?: unknown;
  reply: HttpResponse;
  contentType: string | null;
  headers?: Record<string, unknown>;
}[] = [
  {
    name: "typed headers: arrays, cookies, a boolean, a number, JSON",
    operation: "listThings",
    reply: {
      status: 200,
      headers: {
        "X-Totals": [1, 2],
        "X-Names": ["a", "b"],
        "X-Last": false,
        "X-Count": 0,
        "X-Meta": { a: 1 },
        "set-cookie": ["a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT", "b=2"],
      },
      body: [THING],
    },
    contentType: "application/json; charset=utf-8",
  },
  {
    name: "optional headers left out",
    operation: "listThings",
    reply: { status: 200, headers: { "X-Totals": [], "X-Count": 3 }, body: [] },
    contentType: "application/json; charset=utf-8",
  },
  {
    name: "201",
    operation: "createThing",
    reply: { status: 201, body: THING },
    contentType: "application/json; charset=utf-8",
  },
  {
    name: "204 without body",
    operation: "delete",
    path: { thing_id: 1 },
    reply: { status: 204 },
    contentType: null,
  },
  {
    name: "text",
    operation: "putNote",
    path: { thing_id: 1 },
    body: { contentType: "text/plain", body: "a" },
    reply: { status: 200, body: '"quoted" ü' },
    contentType: "text/plain; charset=utf-8",
  },
  {
    name: "two media types: JSON",
    operation: "readNote",
    path: { thing_id: 1 },
    reply: { status: 200, contentType: "application/json", body: { text: "a" } },
    contentType: "application/json; charset=utf-8",
  },
  {
    name: "two media types: text",
    operation: "readNote",
    path: { thing_id: 1 },
    reply: { status: 200, contentType: "text/plain", body: "no JSON" },
    contentType: "text/plain; charset=utf-8",
  },
  {
    name: "bytes",
    operation: "putFile",
    path: { "file-name": "a" },
    body: { body: new Uint8Array([1]) },
    reply: { status: 200, body: new Uint8Array([0, 255, 10]) },
    contentType: "application/octet-stream",
  },
  {
    name: "a JSON string, of a type of its own",
    operation: "sendForm",
    body: { body: "a=1" },
    reply: { status: 200, body: "text" },
    contentType: "application/vnd.shapes+json",
  },
  {
    name: "a status that only `default` declares",
    operation: "sendLog",
    reply: { status: 202, body: true },
    contentType: "application/json; charset=utf-8",
  },
];

describe.each(["router", "express"] as const)("generated client and routes, on %s", (mount) => {
  test.each(REQUESTS)("request: $name", async ({ operation, request, url, headers, received = request }) => {
    const pair = await servePair(workspace, mount);
    const { seen } = await pair.call(operation, request);
    expect(seen.operation).toBe(operation);
    if (url !== undefined) expect(seen.url).toBe(url);
    if (headers !== undefined) expect(seen.headers).toMatchObject(headers);
    expect(toPlain(seen.request)).toEqual(toPlain(received));
  });

  test.each(RESPONSES)("response: $name", async ({ operation, path: at, body, reply, contentType }) => {
    const pair = await servePair(workspace, mount);
    const headers = operation === "delete" ? { headers: { "X-Trace": "a" } } : {};
    const { response } = await pair.call(operation, { path: at, ...headers, ...Object(body) }, reply);
    const { response: raw, ...result } = response;
    expect(toPlain(result)).toEqual(toPlain({ headers: {}, body: undefined, ...reply }));
    expect(raw instanceof Response ? raw.headers.get("Content-Type") : raw).toBe(contentType);
  });

  test.each([404, 429, 500])("a failure with status %i is thrown with its body", async (status) => {
    const pair = await servePair(workspace, mount);
    const call = pair.call(
      "getThingsByThingId",
      { path: { thing_id: 1 } },
      { status, body: { message: "no" } },
    );
    await expect(call).rejects.toMatchObject({ name: "ApiError", status, body: { message: "no" } });
  });

  test.each([
    ["limit", "/things?limit=0", "query.limit should be ≥ `1`, instead was `0`"],
    ["limit", "/things?limit=x", 'query.limit should be an integer, instead was `"x"`'],
    ["sort", "/things?sort=up", 'query.sort should be `"newest"`, or `"oldest"`'],
    ["ids", "/things?ids=1,x", 'query.ids[1] should be an integer, instead was `"x"`'],
    ["filter", "/things?filter[size]=big", "query.filter.size should be an integer"],
    ["where", "/things?where=%7B%7D", "query.where.and should be defined"],
    ["thing_id", "/things/x", 'path.thing_id should be an integer, instead was `"x"`'],
    ["date", "/measures/1/at/today.csv", "path.date should be a valid ISO 8601 date string"],
  ])("an invalid value of %s is refused: %s", async (_, url, message) => {
    const { baseUrl } = await servePair(workspace, mount);
    const response = await fetch(`${baseUrl}${url}`);
    expect(response.status).toBe(599);
    expect(await response.text()).toContain(JSON.stringify(message).slice(1, -1));
  });
});

/** Converts bytes of any class to a comparable value. */
function toPlain(value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: [...value] };
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toPlain(member)]));
}
