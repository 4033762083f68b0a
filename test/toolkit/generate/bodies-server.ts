import Router from "router";
import {
  createBinder,
  type HttpOperation,
  problemResponse,
  type HttpResponse,
} from "../../../src/http/index.js";
import { uncheckedFetch } from "../../support/checked-responses.js";
import { startServer } from "../../support/server.js";
import type { Workspace } from "./workspace.js";

type Values = Record<string, unknown>;
export type Handler = (request: Values) => Promise<HttpResponse>;
export type Client = Record<string, (request: Values, options?: Values) => Promise<Values>>;

interface Generated {
  registerRoutes(router: unknown, handlers: unknown, bind: unknown): void;
  operations: Record<string, HttpOperation>;
  validators: Record<string, never>;
  createClient(options: object): Client;
}

async function importModules(workspace: Workspace): Promise<Generated> {
  const files = ["routes.js", "validators.js", "client.js"];
  const imported = await Promise.all(files.map((file) => workspace.import(`generated/${file}`)));
  // The cast: the modules of every document export these names.
  return Object.assign({}, ...imported) as Generated;
}

/** Creates a generated client for another server. */
export async function createClientFor(
  workspace: Workspace,
  baseUrl: string,
  fetch: typeof uncheckedFetch = uncheckedFetch,
): Promise<Client> {
  return (await importModules(workspace)).createClient({ baseUrl, fetch });
}

/** Serves the generated routes with one handler for all operations during a test, and creates the generated client. */
export async function serveBodies(
  workspace: Workspace,
  handler: Handler,
  limits: { bodyLimit?: number; uploadLimit?: number } = {},
): Promise<{ baseUrl: string; client: Client; problems: unknown[] }> {
  const generated = await importModules(workspace);
  const problems: unknown[] = [];
  const bind = createBinder({
    validators: generated.validators,
    onError: (error) => {
      problems.push(error);
      return problemResponse(error);
    },
    ...limits,
  });
  const router = Router({ strict: true });
  const any = new Proxy({}, { get: () => handler });
  generated.registerRoutes(router, new Proxy({}, { get: () => any }), bind);
  const baseUrl = await startServer((request, response) => {
    router(request, response, (error?: unknown) => response.writeHead(598).end(String(error)));
  });
  return { baseUrl, client: generated.createClient({ baseUrl, fetch: uncheckedFetch }), problems };
}
