import { createServer, type Server } from "node:http";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import Router from "router";
import {
  createBinder,
  type HttpOperation,
  type HttpResponse,
  InvalidRequestError,
} from "../../../src/http/index.js";
import { listen } from "../../support/ports.js";
import { isObject, put } from "./json.js";

type Values = Record<string, unknown>;
type Method = (request: Values, options: { headers: Record<string, string> }) => Promise<Values>;

/** Exports of generated modules that a round trip uses. */
interface Modules {
  registerRoutes(router: unknown, handlers: unknown, bind: unknown): void;
  operations: Readonly<Record<string, HttpOperation>>;
  validators: Readonly<Record<string, never>>;
  createClient(options: object): Record<string, Method>;
}

/** Outcome of one call. */
export interface Outcome {
  /** Request target and headers at the server; undefined if no request arrived. */
  url: string | undefined;
  /** Alternating lower-case names and values. */
  headers: string[];
  /** The operation whose handler was called, if any. */
  called: string | undefined;
  /** The request at the handler. */
  received: Values | undefined;
  /** The reason why the server refused the request or could not send the response. */
  refused: string | undefined;
  /** Result of the client for a success. */
  result: Values | undefined;
  /** Error that the client threw. */
  thrown: unknown;
}

/** The generated client and the generated routes, connected over HTTP. */
export interface Pair {
  operations: Modules["operations"];
  call(name: string, request: Values, reply: HttpResponse): Promise<Outcome>;
  /** Sends a GET request without the client. */
  ask(target: string, headers?: Record<string, string>): Promise<Outcome & { status: number }>;
  close(): Promise<void>;
}

interface Exchange {
  outcome: Outcome;
  reply: HttpResponse;
}

/** Header that assigns a request to its call. */
const ID = "x-round-trip";
/** Status of responses without a handler. */
const REFUSED = 599;

/** Imports the generated code of a folder, and serves it until it is closed. */
export async function openPair(folder: string, fetch: typeof globalThis.fetch): Promise<Pair> {
  const files = ["routes.ts", "validators.js", "client.ts"];
  const imported = await Promise.all(
    files.map((file) => import(/* @vite-ignore */ pathToFileURL(path.join(folder, file)).href)),
  );
  // The cast: the modules of every document export these names.
  const modules = Object.assign({}, ...imported) as Modules;
  const exchanges = new Map<string, Exchange>();
  const server = createPairServer(modules, exchanges);
  const port = await listen(server);
  // Redirects are not followed, so that a status such as 302 reaches the client.
  const options = { baseUrl: `http://127.0.0.1:${port}`, fetch, redirect: "manual" };
  const client = modules.createClient(options);
  let calls = 0;
  const open = (reply: HttpResponse): { id: string; outcome: Outcome } => {
    const id = String((calls += 1));
    const outcome: Outcome = {
      url: undefined,
      headers: [],
      called: undefined,
      received: undefined,
      refused: undefined,
      result: undefined,
      thrown: undefined,
    };
    exchanges.set(id, { outcome, reply });
    return { id, outcome };
  };
  return {
    operations: modules.operations,
    async call(name, request, reply) {
      const method = client[name];
      if (!method) throw new Error(`The client has no method ${name}.`);
      const { id, outcome } = open(reply);
      try {
        const result = await method(request, { headers: { [ID]: id } });
        outcome.result = { ...result, body: await readAll(result.body) };
      } catch (error) {
        outcome.thrown = error;
      }
      exchanges.delete(id);
      return outcome;
    },
    async ask(target, headers = {}) {
      const { id, outcome } = open({ status: 204 });
      const { status } = await fetch(`${options.baseUrl}${target}`, { headers: { ...headers, [ID]: id } });
      exchanges.delete(id);
      return { ...outcome, status };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Reads a streamed body: bytes unchanged, a multipart body as its value, events and lines as a list. */
async function readAll(body: unknown): Promise<unknown> {
  if (typeof body !== "object" || body === null || body instanceof Uint8Array) return body;
  if (body instanceof Readable) return new Uint8Array(await buffer(body));
  if ("collect" in body && typeof body.collect === "function") return readFiles(await body.collect());
  if (!(Symbol.asyncIterator in body)) return body;
  const items: unknown[] = [];
  // The cast: the line above checks it.
  for await (const item of body as AsyncIterable<unknown>) items.push(item);
  return items;
}

async function readFiles(value: unknown): Promise<unknown> {
  if (value instanceof Blob) return new Uint8Array(await value.arrayBuffer());
  if (Array.isArray(value)) return Promise.all(value.map(readFiles));
  if (!isObject(value)) return value;
  const result = {};
  for (const [name, member] of Object.entries(value)) put(result, name, await readFiles(member));
  return result;
}

function createPairServer(modules: Modules, exchanges: Map<string, Exchange>): Server {
  const router = Router({ strict: true, caseSensitive: true });
  const bind = createBinder<Exchange>({
    validators: modules.validators,
    begin: ({ request }, { name }) => {
      const exchange = exchanges.get(String(request.headers[ID]));
      if (!exchange) throw new Error("The request belongs to no call.");
      exchange.outcome.called = name;
      return exchange;
    },
    onError: (error, { request }) => {
      const exchange = exchanges.get(String(request.headers[ID]));
      const text =
        error instanceof InvalidRequestError ? error.message : String((error as Error)?.stack ?? error);
      if (exchange) exchange.outcome.refused = text;
      return { status: REFUSED, body: text };
    },
    bodyLimit: 10_000_000,
  });
  const echo = async (request: Values, { outcome, reply }: Exchange): Promise<HttpResponse> => {
    outcome.received = "body" in request ? { ...request, body: await readAll(request.body) } : request;
    return reply;
  };
  // All handlers are the same.
  const group = new Proxy({}, { get: () => echo });
  modules.registerRoutes(router, new Proxy({}, { get: () => group }), bind);
  // Idle connections stay open: closing them would reset requests that a busy machine sends at the same time.
  return createServer({ maxHeaderSize: 1_000_000, keepAliveTimeout: 0 }, (request, response) => {
    const arrived = exchanges.get(String(request.headers[ID]))?.outcome;
    if (arrived) {
      arrived.url = request.url;
      arrived.headers = request.rawHeaders.map((text, index) =>
        index % 2 === 0 ? text.toLowerCase() : text,
      );
    }
    router(request, response, (error?: unknown) => {
      const exchange = exchanges.get(String(request.headers[ID]));
      if (exchange)
        exchange.outcome.refused = `no route: ${request.method} ${request.url} ${String(error ?? "")}`;
      response.writeHead(REFUSED).end();
    });
  });
}
