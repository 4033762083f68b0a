import { inspect } from "node:util";
import { expect, test } from "vitest";
import { writeAs, writeForm } from "../../../src/fetch/write-body.js";
import { readBytes, readNothing } from "../../../src/fetch/read-body.js";
import {
  connect,
  type ClientOptions,
  bindOperations,
  type Connection,
  withServer,
} from "../../../src/fetch/connection.js";
import { ApiError } from "../../../src/fetch/errors.js";
import type { CallOptions, Operation, OperationInput } from "../../../src/fetch/operation.js";
import { asJson } from "../../../src/fetch/response-headers.js";
import { send } from "../../../src/fetch/send.js";

const BASE: Operation = { name: "getThing", path: "/things/{id}", method: "get" };

/** Sends a call to a server function, and returns the request and the result. */
async function sendCall(
  response: Response,
  operation: Partial<Operation> = {},
  input: OperationInput = { path: { id: "1" } },
  { signal, headers, ...options }: ClientOptions & CallOptions = {},
): Promise<{ requests: Request[]; result: Promise<Record<string, unknown>> }> {
  const requests: Request[] = [];
  const connection = connect({
    baseUrl: "http://example.test/api",
    fetch: async (request) => {
      requests.push(request.clone());
      return response;
    },
    ...options,
  });
  const callOptions = {
    ...(signal ? { signal } : {}),
    ...(headers ? { headers: headers as Record<string, string> } : {}),
  };
  const result = send<Record<string, unknown>>(connection, input, callOptions, { ...BASE, ...operation });
  await result.catch(() => {});
  return { requests, result };
}

test("a call has the URL, the headers and the body of its parts", async () => {
  const { requests, result } = await sendCall(
    Response.json({ id: 1 }, { headers: { "X-Count": "2", "X-Other": "3" } }),
    { method: "post", accept: "application/json", headers: { 200: { "X-Count": Number } } },
    { path: { id: "a/b" }, query: { q: "x y", none: undefined }, headers: { "X-Sent": 1 }, body: { a: 1 } },
    { headers: { "X-Own": "2", Accept: "application/geo+json" } },
  );
  const [request] = requests;
  expect(request?.url).toBe("http://example.test/api/things/a%2Fb?q=x%20y");
  expect(request?.headers.get("X-Sent")).toBe("1");
  expect(request?.headers.get("X-Own")).toBe("2");
  expect(request?.headers.get("Accept")).toBe("application/geo+json");
  expect(request?.headers.get("Content-Type")).toBe("application/json");
  expect(await request?.json()).toEqual({ a: 1 });
  expect(await result).toMatchObject({ status: 200, headers: { "X-Count": 2 }, body: { id: 1 } });
});

test("a path with the special characters of a replacement is sent as it is", async () => {
  const { requests } = await sendCall(Response.json({}), { path: "/$&/{id}" });
  expect(requests[0]?.url).toBe("http://example.test/api/$&/1");
});

test.each([
  [200, {}],
  [201, { "X-Count": 2 }],
])("a success with status %i has the headers of its status, or those of 2XX", async (status, headers) => {
  const { result } = await sendCall(new Response("{}", { status, headers: { "X-Count": "2" } }), {
    headers: { 200: {}, "2XX": { "X-Count": Number } },
  });
  expect((await result)["headers"]).toEqual(headers);
});

test("a call without `around` has its signal", async () => {
  const { requests } = await sendCall(Response.json({}), {}, undefined, { signal: AbortSignal.abort() });
  expect(requests[0]?.signal.aborted).toBe(true);
});

test.each([204, 205])("the response with status %i has no body", async (status) => {
  const { result } = await sendCall(new Response(null, { status }), { read: readBytes });
  expect(await result).toMatchObject({ status, body: undefined });
});

test("an undeclared body is discarded", async () => {
  let isCancelled = false;
  const body = new ReadableStream({ cancel: () => void (isCancelled = true) });
  const { result } = await sendCall(new Response(body), { read: readNothing });
  expect(await result).toMatchObject({ status: 200, body: undefined });
  expect(isCancelled).toBe(true);
  const empty = await sendCall(new Response(null), { read: readNothing });
  expect(await empty.result).toMatchObject({ status: 200, body: undefined });
});

test("a failure throws an ApiError with the parsed body, or the connection's own error", async () => {
  const failure = () => Response.json({ code: "gone" }, { status: 410 });
  const { result } = await sendCall(failure());
  await expect(result).rejects.toMatchObject({
    name: "ApiError",
    operation: "getThing",
    status: 410,
    body: { code: "gone" },
  });
  const own = await sendCall(failure(), {}, undefined, {
    toError: ({ status }) => new RangeError(String(status)),
  });
  await expect(own.result).rejects.toThrow(RangeError);
});

test("a printed ApiError is short, because it omits the Response, which has about 100 lines", async () => {
  const response = Response.json({ code: "gone" }, { status: 410 });
  const error = await (await sendCall(response)).result.catch((thrown: unknown) => thrown);
  expect(error).toHaveProperty("response", response);
  expect(inspect(error)).toContain("status: 410");
  expect(inspect(error)).not.toContain("response:");
});

test.each([
  ["no body", new Response("", { status: 400 }), undefined],
  ["an empty JSON string", new Response('""', { status: 400, headers: { "Content-Length": "2" } }), ""],
  ["text", new Response("gone", { status: 400 }), "gone"],
])("the error of a failure with %s", async (_, response, body) => {
  const { result } = await sendCall(response);
  await expect(result).rejects.toMatchObject({ name: "ApiError", status: 400, body });
});

test("a redirect without a target is an error about its status alone", async () => {
  const { result } = await sendCall(new Response(null, { status: 304 }));
  await expect(result).rejects.toThrow("getThing failed with status 304.");
});

test("a success that is not JSON is an error with its text", async () => {
  const { result } = await sendCall(new Response("<html>"));
  await expect(result).rejects.toThrow("getThing failed with status 200: the body is not JSON.");
  await expect(result).rejects.toBeInstanceOf(ApiError);
});

test("a response header that is not JSON is an error also without a body", async () => {
  const { result } = await sendCall(new Response(null, { status: 204, headers: { "X-Meta": "{" } }), {
    read: readBytes,
    headers: { 204: { "X-Meta": asJson } },
  });
  await expect(result).rejects.toThrow("getThing failed with status 204: a header is not JSON.");
});

test("a response header that is not JSON is an error, and the body is not left open", async () => {
  let isCancelled = false;
  const body = new ReadableStream({ cancel: () => void (isCancelled = true) });
  const { result } = await sendCall(new Response(body, { headers: { "X-Meta": "{" } }), {
    read: readBytes,
    headers: { 200: { "X-Meta": asJson } },
  });
  await expect(result).rejects.toMatchObject({
    name: "ApiError",
    message: "getThing failed with status 200: a header is not JSON.",
  });
  expect(isCancelled).toBe(true);
});

test("an empty body has the Content-Type of its operation", async () => {
  const operation = { method: "post", write: writeAs("text/csv") } as const;
  const { requests } = await sendCall(Response.json({}), operation, { path: { id: "1" }, body: "" });
  expect(requests.map(({ headers }) => headers.get("Content-Type"))).toEqual(["text/csv"]);
});

test("a call without its optional body has no Content-Type", async () => {
  const { requests } = await sendCall(Response.json({}), { method: "post", write: writeForm() });
  expect(requests.map(({ headers }) => headers.get("Content-Type"))).toEqual([null]);
});

test("a request that cannot be written is not sent", async () => {
  const { requests, result } = await sendCall(Response.json({}), {}, { path: { id: ".." } });
  await expect(result).rejects.toThrow(TypeError);
  expect(requests).toHaveLength(0);
});

test("`around` can send any number of attempts; headers of the call take precedence", async () => {
  const { requests } = await sendCall(
    Response.json({}),
    { method: "put" },
    { path: { id: "1" }, headers: { "X-A": "call" } },
    {
      around: async (_, attempt) => {
        await attempt({ headers: { "X-A": "attempt", "X-B": "1" } }).catch(() => {});
        return { data: "{}", response: new Response("{}") };
      },
    },
  );
  expect(requests.map(({ headers }) => [headers.get("X-A"), headers.get("X-B")])).toEqual([["call", "1"]]);
});

test("the headers of an attempt are sent beside the Content-Type of a body", async () => {
  const { requests } = await sendCall(
    Response.json({}),
    { method: "put", accept: "application/json", write: writeAs("text/csv") },
    { path: { id: "1" }, body: "a,b" },
    { around: (_, attempt) => attempt({ headers: { "X-B": "1" } }) },
  );
  expect(
    requests.map(({ headers }) => ["X-B", "Content-Type", "Accept"].map((name) => headers.get(name))),
  ).toEqual([["1", "text/csv", "application/json"]]);
});

test("a base URL that is undefined does not replace the default one", async () => {
  const urls: string[] = [];
  const fetch = async ({ url }: Request): Promise<Response> => {
    urls.push(url);
    return new Response();
  };
  const connection = connect({ baseUrl: undefined, fetch }, "http://example.test/default");
  await send(connection, { path: { id: "1" } }, {}, BASE);
  await send(withServer(connection, "http://example.test/own"), { path: { id: "1" } }, {}, BASE);
  expect(urls).toEqual(["http://example.test/default/things/1", "http://example.test/own/things/1"]);
});

test("an empty base URL, for addresses relative to a web page, replaces the default one", async () => {
  const connection = connect({ baseUrl: "" }, "http://example.test/default");
  expect(withServer(connection, "http://example.test/own")).toBe(connection);
  // Node has no page.
  await expect(send(connection, { path: { id: "1" } }, {}, BASE)).rejects.toThrow("URL");
});

test("a base URL in the options of a connection replaces the servers of operations", async () => {
  const connection = connect({ baseUrl: "http://example.test" });
  expect(withServer(connection, "http://example.test/own")).toBe(connection);
});

test("bound operations call their functions with the connection", async () => {
  const connection = connect({ baseUrl: "http://example.test" });
  const bound = bindOperations(connection, {
    getThing: async (on: Connection, id: string) => [on === connection, id],
  });
  expect(await bound.getThing("1")).toEqual([true, "1"]);
  expect(bound.http).toBe(connection.http);
});
