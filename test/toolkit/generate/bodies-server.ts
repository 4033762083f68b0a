import { createServer, type RequestListener } from "node:http";
import Router from "router";
import { onTestFinished } from "vitest";
import {
  createBinder,
  type HttpOperation,
  problemResponse,
  type HttpResponse,
} from "../../../src/http/index.js";
import { uncheckedFetch } from "../../support/checked-responses.js";
import type { Workspace } from "./workspace.js";

type Values = Record<string, unknown>;
export type Handler = (request: Values) => Promise<HttpResponse>;
export type Client = Record<string, (request: Values, options?: Values) => Promise<Values>>;

interface Generated {
  registerRoutes(router: unknown, handlers: unknown, bind: unknown): void;
  operations: Record<string, HttpOperation>;
  validators: Record<string, never>;
  expectations: Record<string, string>;
  createClient(options: object): Client;
}

async function modules(workspace: Workspace): Promise<Generated> {
  const files = ["routes.js", "validators.js", "client.js"];
  const imported = await Promise.all(files.map((file) => workspace.import(`generated/${file}`)));
  // The cast: these are the names that every document's modules export.
  return Object.assign({}, ...imported) as Generated;
}

/** A client of a server that is not ours. */
export async function clientOf(
  workspace: Workspace,
  baseUrl: string,
  fetch: typeof uncheckedFetch = uncheckedFetch,
): Promise<Client> {
  return (await modules(workspace)).createClient({ baseUrl, fetch });
}

/** The generated routes with one handler for all of them, and the generated client, for the length of a test. */
export async function serveBodies(
  workspace: Workspace,
  handler: Handler,
  limits: { bodyLimit?: number; uploadLimit?: number } = {},
): Promise<{ baseUrl: string; client: Client; problems: unknown[] }> {
  const generated = await modules(workspace);
  const problems: unknown[] = [];
  const bind = createBinder({
    validators: generated.validators,
    expectations: generated.expectations,
    onError: (error) => {
      problems.push(error);
      return problemResponse(error);
    },
    ...limits,
  });
  const router = Router({ strict: true });
  const any = new Proxy({}, { get: () => handler });
  generated.registerRoutes(router, new Proxy({}, { get: () => any }), bind);
  const baseUrl = await listen((request, response) => {
    router(request, response, (error?: unknown) => response.writeHead(598).end(String(error)));
  });
  return { baseUrl, client: generated.createClient({ baseUrl, fetch: uncheckedFetch }), problems };
}

/** Listens for the length of the test; gives the address. */
export async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
}
