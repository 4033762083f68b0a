import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import express from "express";
import Router from "router";
import {
  createBinder,
  type HttpOperation,
  type HttpResponse,
  type RouteHandler,
} from "../../../src/http/index.js";
import { uncheckedFetch } from "../../support/checked-responses.js";
import { startServer } from "../../support/server.js";
import type { Workspace } from "./workspace.js";

type Request = Record<string, unknown>;
type Method = (request: Request) => Promise<Request>;

/** Exports of generated modules that these tests use. */
interface Generated {
  registerRoutes(router: unknown, handlers: unknown, bind: unknown): void;
  operations: Record<string, HttpOperation>;
  validators: Record<string, never>;
  createClient(options: object): Record<string, Method>;
}

/** A request as sent, and as received by the handler. */
export interface Seen {
  /** Request line and relevant headers at the server. */
  url: string;
  headers: Record<string, unknown>;
  /** The called operation and its request. */
  operation: string;
  request: Request;
}

/** The generated client and the generated routes, connected over HTTP. */
export interface Pair {
  call(operation: string, request: Request, reply?: HttpResponse): Promise<{ seen: Seen; response: Request }>;
  baseUrl: string;
}

/** Serves the generated routes of a workspace on a free port during the test. */
export async function servePair(workspace: Workspace, mount: "router" | "express"): Promise<Pair> {
  const modules = ["routes.js", "validators.js", "client.js"];
  const imported = await Promise.all(modules.map((file) => workspace.import(`generated/${file}`)));
  // The cast: the modules of every document export these names.
  const generated = Object.assign({}, ...imported) as Generated;
  let reply: HttpResponse = { status: 200 };
  let seen: Seen | undefined;
  const bind = createBinder<Seen>({
    validators: generated.validators,
    begin: ({ request }, { name }) => {
      seen = { url: request.url ?? "", headers: request.headers, operation: name, request: {} };
      return seen;
    },
    onError: (error) => ({ status: 599, body: { message: String(error) } }),
    bodyLimit: 10_000,
  });
  const any = new Proxy({}, { get: () => echo });
  const echo = async (request: Request, context: Seen): Promise<HttpResponse> => {
    context.request = "body" in request ? { ...request, body: await readAll(request.body) } : request;
    return reply;
  };
  const handlers = new Proxy({}, { get: () => any });
  const target = mount === "router" ? Router({ strict: true }) : express();
  generated.registerRoutes(target, handlers, bind satisfies (...input: never[]) => RouteHandler);

  const baseUrl = await startServer((request, response) => {
    const unanswered = (error?: unknown): void => {
      response.writeHead(598).end(`not answered: ${String(error)}`);
    };
    if (mount === "router") (target as ReturnType<typeof Router>)(request, response, unanswered);
    else (target as ReturnType<typeof express>)(request, response);
  });
  const client = generated.createClient({ baseUrl, fetch: uncheckedFetch });
  return {
    baseUrl,
    async call(operation, request, handlerResponse = { status: 200 }) {
      reply = handlerResponse;
      seen = undefined;
      const method = client[operation];
      if (!method) throw new Error(`The client has no method ${operation}.`);
      const response = await method(request);
      if (!seen) throw new Error(`${operation} called no handler.`);
      return { seen, response };
    },
  };
}

/** Reads a streamed body into memory, because the test compares it after the request. */
async function readAll(body: unknown): Promise<unknown> {
  return body instanceof Readable ? new Uint8Array(await buffer(body)) : body;
}
