import { getEventListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import {
  type ClientOptions,
  ConnectionError,
  connect as connectTo,
  createClient,
  isPageServiceError,
  type LogEntry,
  paginate,
  queryDatabase,
} from "../../../src/client/index.js";
import { uncheckedFetch } from "../../support/checked-responses.js";
import { addPage, connect, title } from "../../support/contract.js";
import { startServer } from "../../support/server.js";

const ID = "0191d5a2-9c40-7f7e-8d21-64b1f0a7c915";
const KEY = "ps_secret";

/** Behaviour of a faulty server: responds with a status, or breaks the connection before or during the response. */
type Fault =
  { status: number; headers?: Record<string, string>; body?: object } | "cut" | "cut in the body" | "silence";

interface Faulty {
  url: string;
  /** Requests that it received. */
  requests: { method: string | undefined; body: string; key: string | undefined }[];
  log: LogEntry[];
  options: ClientOptions;
}

/** Starts a real server that applies one fault per request, and then responds with `{}`. */
async function startFaultyServer(
  faults: Fault[],
  then?: (request: IncomingMessage, response: ServerResponse) => void,
) {
  const faulty: Faulty = { url: "", requests: [], log: [], options: { baseUrl: "", apiKey: KEY } };
  const queue = [...faults];
  faulty.url = await startServer(async (request, response) => {
    const { method, headers } = request;
    const body = await text(request);
    faulty.requests.push({ method, body, key: headers["idempotency-key"]?.toString() });
    const fault = queue.shift();
    const json = { "Content-Type": "application/json" };
    if (fault === "silence") return;
    if (fault === "cut") return request.socket.destroy();
    if (fault === "cut in the body") {
      response.writeHead(200, { ...json, "Content-Length": "100" }).write("{");
      setTimeout(() => request.socket.destroy(), 20);
      return;
    }
    if (!fault && then) return then(request, response);
    response
      .writeHead(fault?.status ?? 200, { ...json, ...fault?.headers })
      .end(JSON.stringify(fault?.body ?? {}));
  });
  faulty.options = {
    baseUrl: faulty.url,
    apiKey: KEY,
    fetch: (request) => uncheckedFetch(request),
    log: (entry) => faulty.log.push(entry),
  };
  return faulty;
}

const path = { page_id: ID };
const newPage = { body: { parent: { database_id: ID }, properties: { Title: title("x") } } };

describe("a call is retried", () => {
  test.each<[string, Fault]>([
    ["after 429", { status: 429, headers: { "Retry-After": "0" } }],
    ["after 502", { status: 502 }],
    ["after 503", { status: 503 }],
    ["after 504", { status: 504 }],
    ["after a conflict", { status: 409, body: { object: "error", code: "conflict_error", message: "" } }],
    ["when the connection breaks", "cut"],
    ["when the connection breaks in the response", "cut in the body"],
  ])("%s", async (_, fault) => {
    const faulty = await startFaultyServer([fault]);
    const client = createClient(faulty.options);
    expect((await client.retrievePage({ path })).status).toBe(200);
    expect(faulty.requests.map(({ method }) => method)).toEqual(["GET", "GET"]);
    const [first, second] = faulty.log;
    expect(first).toMatchObject({
      operation: "retrievePage",
      url: `${faulty.url}/v1/pages/${ID}`,
      attempt: 1,
    });
    expect(first?.retryIn).toBeGreaterThanOrEqual(250);
    expect(first?.retryIn).toBeLessThanOrEqual(500);
    expect(second).toMatchObject({ attempt: 2, status: 200, retryIn: undefined });
    if (typeof fault === "object") expect(first?.status).toBe(fault.status);
    else
      expect(first?.error).toMatchObject({
        name: "ConnectionError",
        reason: "network",
        message: expect.stringMatching(/^retrievePage got no response: TypeError: /),
      });
  });

  test.each([400, 401, 403, 404, 413, 500, 501])("not after %d", async (status) => {
    const faulty = await startFaultyServer([{ status }]);
    await expect(createClient(faulty.options).retrievePage({ path })).rejects.toMatchObject({ status });
    expect(faulty.requests).toHaveLength(1);
  });

  test("not after a conflict of another kind, and not when the request is invalid", async () => {
    const faulty = await startFaultyServer([{ status: 409, body: { code: "other" } }]);
    const client = createClient(faulty.options);
    await expect(client.retrievePage({ path })).rejects.toMatchObject({ status: 409, code: "other" });
    await expect(client.retrievePage({ path: { page_id: ".." } })).rejects.toThrow(TypeError);
    const headers = { "X-Bad": "line\nbreak" };
    await expect(client.retrievePage({ path }, { headers })).rejects.toThrow(TypeError);
    expect(faulty.requests).toHaveLength(1);
  });

  test("at most `retries` times, and returns the last response", async () => {
    const unavailable = {
      status: 503,
      body: { object: "error", code: "service_unavailable", message: "Later." },
    };
    const faulty = await startFaultyServer([unavailable, unavailable, unavailable]);
    const error: unknown = await createClient({ ...faulty.options, retries: 1 })
      .retrievePage({ path })
      .catch((thrown: unknown) => thrown);
    expect(isPageServiceError(error, "service_unavailable")).toBe(true);
    expect(faulty.requests).toHaveLength(2);
  });

  test("if it only reads: POST queries and searches", async () => {
    const faulty = await startFaultyServer(["cut", { status: 200 }, { status: 503 }]);
    const client = createClient(faulty.options);
    await client.queryDatabase({ path: { database_id: ID }, body: {} });
    await client.search({ body: {} });
    expect(faulty.log.map(({ operation, attempt }) => `${operation} ${attempt}`)).toEqual([
      "queryDatabase 1",
      "queryDatabase 2",
      "search 1",
      "search 2",
    ]);
    expect(new Set(faulty.requests.map(({ key }) => key))).toEqual(new Set([undefined]));
  });
});

describe("Retry-After is honoured", () => {
  test("in seconds", async () => {
    const faulty = await startFaultyServer([{ status: 429, headers: { "Retry-After": "1" } }]);
    await createClient(faulty.options).retrievePage({ path });
    expect(faulty.log[0]?.retryIn).toBeGreaterThanOrEqual(1250);
    expect(faulty.log[0]?.retryIn).toBeLessThanOrEqual(1500);
  });

  test("as a date", async () => {
    // Rounded up, because a date has whole seconds: 1 to 2 seconds from now.
    const date = new Date(Math.ceil(Date.now() / 1000) * 1000 + 1000);
    const faulty = await startFaultyServer([{ status: 503, headers: { "Retry-After": date.toUTCString() } }]);
    await createClient(faulty.options).retrievePage({ path });
    expect(Date.now()).toBeGreaterThanOrEqual(date.getTime());
  });

  test("unless it is past or invalid", async () => {
    for (const after of ["Wed, 21 Oct 2015 07:28:00 GMT", "soon", "-5"]) {
      const faulty = await startFaultyServer([{ status: 503, headers: { "Retry-After": after } }]);
      await createClient(faulty.options).retrievePage({ path });
      expect(faulty.log[0]?.retryIn).toBeLessThanOrEqual(500);
    }
  });

  test("not beyond the time limit: then the response is returned at once", async () => {
    const faulty = await startFaultyServer([{ status: 429, headers: { "Retry-After": "100" } }]);
    await expect(createClient(faulty.options).retrievePage({ path })).rejects.toMatchObject({ status: 429 });
    expect(faulty.log).toMatchObject([{ status: 429, retryIn: undefined }]);
  });
});

describe("a write", () => {
  test("has one idempotency key for all attempts, and another write has another key", async () => {
    const faulty = await startFaultyServer(["cut", { status: 503 }]);
    const client = createClient(faulty.options);
    await client.createPage(newPage);
    await client.createPage(newPage);
    const keys = faulty.requests.map(({ key }) => key);
    expect(keys[0]).toMatch(/^\d+(?:-\d+){3}$/);
    expect(keys).toEqual([keys[0], keys[0], keys[0], expect.not.stringMatching(String(keys[0]))]);
    expect(new Set(faulty.requests.map(({ body }) => body))).toEqual(new Set([JSON.stringify(newPage.body)]));
  });

  test("keeps the caller's idempotency key", async () => {
    const faulty = await startFaultyServer([{ status: 503 }, { status: 200 }, { status: 503 }]);
    const client = createClient(faulty.options);
    await client.createPage({ ...newPage, headers: { "Idempotency-Key": "mine" } });
    await client.updatePage({ path, body: {} }, { headers: { "idempotency-key": "mine too" } });
    expect(faulty.requests.map(({ key }) => key)).toEqual(["mine", "mine", "mine too", "mine too"]);
  });

  test("is executed once although the first response is lost", async () => {
    const connected = await connect();
    const { baseUrl, key, rootDatabaseId } = connected;
    const keys: (string | null)[] = [];
    const client = createClient({
      baseUrl,
      apiKey: key,
      // Drops the first response after it has arrived.
      fetch: async (request) => {
        keys.push(request.headers.get("Idempotency-Key"));
        const response = await fetch(request);
        if (keys.length === 1) throw new TypeError("the connection broke");
        return response;
      },
    });
    const parent = { database_id: rootDatabaseId };
    const { response } = await client.createPage({ body: { parent, properties: { Title: title("Once") } } });
    expect(response.headers.get("Idempotency-Replayed")).toBe("true");
    expect(keys).toEqual([keys[0], keys[0]]);
    const found = await client.queryDatabase({ path: { database_id: rootDatabaseId }, body: {} });
    expect(found.body.results).toHaveLength(1);
  });

  test("that deletes a block is retried", async () => {
    const connected = await connect();
    const block_id = await addPage(connected);
    let tries = 0;
    const client = createClient({
      baseUrl: connected.baseUrl,
      apiKey: connected.key,
      fetch: async (request) => {
        const response = await fetch(request);
        tries += 1;
        if (tries === 1) throw new TypeError("the connection broke");
        return response;
      },
    });
    expect((await client.deleteBlock({ path: { block_id } })).body.in_trash).toBe(true);
    expect(tries).toBe(2);
  });
});

describe("time", () => {
  test("limit ends a call without a response", async () => {
    const faulty = await startFaultyServer(["silence"]);
    const error: unknown = await createClient({ ...faulty.options, timeout: 2000 })
      .retrievePage({ path })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      reason: "timeout",
      message: "retrievePage got no response within 2000 ms.",
    });
    expect(faulty.requests).toHaveLength(1);
    expect(faulty.log).toMatchObject([{ attempt: 1, error, retryIn: undefined }]);
  });

  test("limit covers all attempts", async () => {
    const faulty = await startFaultyServer([{ status: 503 }, "silence"]);
    const call = createClient({ ...faulty.options, timeout: 3000 }).retrievePage({ path });
    await expect(call).rejects.toMatchObject({ reason: "timeout" });
    expect(faulty.requests).toHaveLength(2);
  });

  test("limit can be Infinity", async () => {
    const faulty = await startFaultyServer([]);
    const call = createClient({ ...faulty.options, timeout: Infinity }).retrievePage({ path });
    expect((await call).status).toBe(200);
  });
});

describe("a signal", () => {
  test("aborts an attempt with its reason", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const faulty = await startFaultyServer(["silence"], undefined);
    const call = createClient({
      ...faulty.options,
      fetch: (request) => {
        setTimeout(() => controller.abort(reason), 50);
        return uncheckedFetch(request);
      },
    }).retrievePage({ path }, { signal: controller.signal });
    await expect(call).rejects.toBe(reason);
  });

  test("aborts the wait between two attempts", async () => {
    const controller = new AbortController();
    const faulty = await startFaultyServer([{ status: 429, headers: { "Retry-After": "60" } }]);
    const call = createClient({
      ...faulty.options,
      log: ({ retryIn }) => {
        expect(retryIn).toBeGreaterThan(60_000);
        setTimeout(() => controller.abort(), 10);
      },
    }).retrievePage({ path }, { signal: controller.signal });
    // Waiting a minute would exceed the time limit of the test.
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
    expect(faulty.requests).toHaveLength(1);
  });

  test("has no listeners after a call, so that one signal can serve any number of calls", async () => {
    const { signal } = new AbortController();
    const faulty = await startFaultyServer([{ status: 503 }]);
    await createClient(faulty.options).retrievePage({ path }, { signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("ends a pagination loop, between pages and within a page", async () => {
    const faulty = await startFaultyServer([], (_, response) => {
      const next_cursor = crypto.randomUUID();
      const body = { object: "list", results: [{ id: 1 }, { id: 2 }], next_cursor, has_more: true };
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    });
    for (const enough of [1, 2, 3]) {
      const controller = new AbortController();
      const { signal } = controller;
      const pages = paginate(
        connectTo(faulty.options),
        queryDatabase,
        { path: { database_id: ID }, body: {} },
        { signal },
      );
      let seen = 0;
      const loop = async (): Promise<void> => {
        for await (const _ of pages) {
          seen += 1;
          if (seen === enough) controller.abort();
        }
      };
      await expect(loop()).rejects.toMatchObject({ name: "AbortError" });
      expect(seen).toBe(enough);
    }
  });

  test("that is already aborted sends nothing", async () => {
    const faulty = await startFaultyServer([]);
    const signal = AbortSignal.abort();
    await expect(createClient(faulty.options).retrievePage({ path }, { signal })).rejects.toMatchObject({
      name: "AbortError",
    });
    expect(faulty.requests).toEqual([]);
  });
});

test("neither the log nor an error contains the key", async () => {
  const faulty = await startFaultyServer(["cut", { status: 503 }, { status: 403 }]);
  const error: unknown = await createClient(faulty.options)
    .createPage(newPage)
    .catch((thrown: unknown) => thrown);
  const { inspect } = await import("node:util");
  expect(inspect([faulty.log, error], { depth: 20, showHidden: true })).not.toContain(KEY);
  expect(faulty.log).toHaveLength(3);
});

test("a response of a middleware is returned and logged, although nothing was sent", async () => {
  const log: LogEntry[] = [];
  const client = createClient({
    baseUrl: "http://localhost:1",
    apiKey: KEY,
    log: (entry) => void log.push(entry),
  });
  client.http.use({ onRequest: () => Response.json({ object: "page" }) });
  const { body } = await client.retrievePage({ path: { page_id: ID } });
  expect(body).toEqual({ object: "page" });
  expect(log).toMatchObject([{ operation: "retrievePage", url: "", attempt: 1, status: 200 }]);
});
