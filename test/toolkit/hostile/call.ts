import Router from "router";
import {
  createBinder,
  type HttpOperation,
  type HttpResponse,
  type RouteHandler,
} from "../../../src/http/index.js";
import { uncheckedFetch } from "../../support/checked-responses.js";
import { startServer } from "../../support/server.js";

type Values = Record<string, unknown>;
type Method = (request?: Values) => Promise<unknown>;

/** Exports of generated modules that these tests use. */
export interface Modules {
  registerRoutes(router: unknown, handlers: unknown, bind: unknown): void;
  operations: Record<string, HttpOperation>;
  validators: Record<string, Record<string, unknown>>;
  createClient(options: object): Record<string, Method>;
}

/** Numbers of calls by kind. */
export interface Called {
  validators: number;
  routes: number;
  handled: number;
  methods: number;
}

/**
 * Calls all exports of generated modules: every validator with values of all kinds, and every route over HTTP, with the
 * request of the client's method.
 *
 * @param texts texts in the values
 */
export async function callEverything(modules: Modules, texts: readonly string[]): Promise<Called> {
  const called: Called = { validators: 0, routes: 0, handled: 0, methods: 0 };
  for (const validate of listFunctions(modules.validators)) {
    called.validators += 1;
    for (const value of createValues(texts)) validate(value);
  }
  const target = Router({ strict: true });
  const any = new Proxy({}, { get: () => new Proxy({}, { get: () => () => reply(called) }) });
  const bind = createBinder({
    // The cast: the runtime accepts generated validators.
    validators: modules.validators as never,
    begin: () => {
      called.routes += 1;
      return {};
    },
    onError: (error) => ({ status: 400, body: { message: String(error) } }),
    bodyLimit: 1_000_000,
  });
  modules.registerRoutes(target, any, bind satisfies (...input: never[]) => RouteHandler);
  const baseUrl = await startServer((request, response) => {
    target(request, response, () => response.writeHead(404).end());
  });
  const client = modules.createClient({ baseUrl, fetch: uncheckedFetch });
  const calls = Object.values(modules.operations).map((operation, index) => async () => {
    const method = client[operation.name];
    if (!method) throw new Error(`The client has no method ${operation.name}.`);
    called.methods += 1;
    // Ignores errors for names that requests cannot contain and for unsupported bodies. Only executed code matters.
    await method(createRequest(operation, texts[index % texts.length] ?? "")).catch(() => undefined);
  });
  await runConcurrently(calls, 20);
  return called;
}

function listFunctions(value: unknown): ((data: unknown) => unknown)[] {
  if (typeof value === "function") return [(data) => value(data)];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listFunctions) : [];
}

function createValues(texts: readonly string[]): unknown[] {
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

function createRequest({ parameters, body }: HttpOperation, text: string): Values {
  const members = { path: "path", query: "query", header: "headers", cookie: "cookies" } as const;
  const request: Values = {};
  for (const { name, in: place, type } of parameters) {
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

async function runConcurrently(calls: (() => Promise<void>)[], width: number): Promise<void> {
  const queue = calls.values();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const call of queue) await call();
    }),
  );
}
