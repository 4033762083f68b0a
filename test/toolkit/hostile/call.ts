import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import Router from "router";
import {
  createBinder,
  type HttpOperation,
  type HttpResponse,
  type RouteHandler,
} from "../../../src/http/index.js";
import { uncheckedFetch } from "../../support/checked-responses.js";

type Values = Record<string, unknown>;
type Method = (request?: Values) => Promise<unknown>;

/** Exports of generated modules that these tests use. */
export interface Modules {
  registerRoutes(router: unknown, handlers: unknown, bind: unknown): void;
  operations: Record<string, HttpOperation>;
  validators: Record<string, Record<string, unknown>>;
  expectations: Record<string, string>;
  createClient(options: object): Record<string, Method>;
}

/** Number of calls by kind. */
export interface Called {
  validators: number;
  routes: number;
  handled: number;
  methods: number;
}

/**
 * Calls whatever generated modules export: every validator with values of all kinds, every route with the request
 * that the client's method sends, over HTTP, to a server that answers anything.
 *
 * @param texts what values hold
 */
export async function callEverything(modules: Modules, texts: readonly string[]): Promise<Called> {
  const called: Called = { validators: 0, routes: 0, handled: 0, methods: 0 };
  for (const validate of functionsIn(modules.validators)) {
    called.validators += 1;
    for (const value of valuesOf(texts)) validate(value);
  }
  const target = Router({ strict: true });
  const any = new Proxy({}, { get: () => new Proxy({}, { get: () => () => reply(called) }) });
  const bind = createBinder({
    // The cast: the runtime takes validators as they are generated.
    validators: modules.validators as never,
    expectations: modules.expectations,
    begin: () => {
      called.routes += 1;
      return {};
    },
    onError: (error) => ({ status: 400, body: { message: String(error) } }),
    bodyLimit: 1_000_000,
  });
  modules.registerRoutes(target, any, bind satisfies (...input: never[]) => RouteHandler);
  await withServer(
    (request, response) => target(request, response, () => response.writeHead(404).end()),
    async (baseUrl) => {
      const client = modules.createClient({ baseUrl, fetch: uncheckedFetch });
      const calls = Object.values(modules.operations).map((operation, index) => async () => {
        const method = client[operation.id];
        if (!method) throw new Error(`the client has no method ${operation.id}`);
        called.methods += 1;
        // A name that no request can carry, or a body of a kind that is not written: what counts is that it is only text.
        await method(requestFor(operation, texts[index % texts.length] ?? "")).catch(() => undefined);
      });
      await inTurns(calls, 20);
    },
  );
  return called;
}

function functionsIn(value: unknown): ((data: unknown) => unknown)[] {
  if (typeof value === "function") return [(data) => value(data)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(functionsIn) : [];
}

function valuesOf(texts: readonly string[]): unknown[] {
  return [
    undefined,
    null,
    true,
    1.5,
    [],
    {},
    { one: 1, a: 1, kind: "two" },
    ...texts.flatMap((text) => [text, { [text]: text }, [text, text]]),
  ];
}

async function reply(called: Called): Promise<HttpResponse> {
  called.handled += 1;
  return { status: 200, headers: { "X-Anything": "1" }, body: { anything: [1, "a", null] } };
}

function requestFor({ parameters, body }: HttpOperation, text: string): Values {
  const members = { path: "path", query: "query", header: "headers", cookie: "cookies" } as const;
  const request: Values = {};
  for (const { name, in: place, type } of parameters) {
    if (place === "body") continue;
    const group = (request[members[place]] ??= {});
    const value = { array: [text], object: { [name]: text, a: 1 }, number: 1, integer: 1, boolean: true }[
      String(type)
    ];
    Object.defineProperty(group, name, { value: value ?? text.slice(0, 100), enumerable: true });
  }
  if (!body) return request;
  const [contentType] = Object.keys(body.mediaTypes);
  const kind = contentType === undefined ? undefined : body.mediaTypes[contentType];
  const several = Object.keys(body.mediaTypes).length > 1;
  request["body"] = kind === "json" ? { [text]: text } : text;
  return several ? { ...request, contentType } : request;
}

async function inTurns(calls: (() => Promise<void>)[], width: number): Promise<void> {
  const queue = calls.values();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const call of queue) await call();
    }),
  );
}

/** Serves on a port of its own while `use` runs. */
async function withServer(
  listener: (request: IncomingMessage, response: ServerResponse) => void,
  use: (baseUrl: string) => Promise<void>,
): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  try {
    await use(`http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
}
