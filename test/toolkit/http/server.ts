import { connect } from "node:net";
import express from "express";
import Router from "router";
import {
  createBinder,
  type BinderOptions,
  type HttpOperation,
  type HttpParameter,
  type HttpRequest,
  type HttpResponse,
  InvalidRequestError,
} from "../../../src/http/index.js";
import { startServer } from "../../support/server.js";

type Options = Partial<BinderOptions<undefined>>;
export type Handler = (request: HttpRequest) => Promise<HttpResponse>;

/** An operation to mount at `/things`, or at the path or pattern `at` of the router. */
export interface Mount {
  operation?: Partial<HttpOperation>;
  handler?: Handler;
  options?: Options;
  at?: string | RegExp;
}

/** Creates an operation from some members, with minimal values for the others. */
export function operation(part: Partial<HttpOperation> = {}): HttpOperation {
  return { name: "op", method: "GET", path: "/things", parameters: [], responseMediaTypes: {}, ...part };
}

/** Creates a parameter from some members, with minimal values for the others. */
export function parameter(part: Partial<HttpParameter>): HttpParameter {
  return {
    name: "p",
    in: "query",
    required: false,
    style: "form",
    explode: true,
    type: "string",
    ...part,
  };
}

/** Binds a handler with createBinder; the default handler returns the decoded request. */
export function routeFor({ operation: part, handler = echo, options }: Mount) {
  const bind = createBinder<undefined>({
    validators: {},
    begin: () => undefined,
    onError: formatError,
    bodyLimit: 1000,
    ...options,
  });
  // The cast: these handlers accept the request of any operation.
  return bind(operation(part), handler as (request: never) => Promise<HttpResponse>);
}

/** Serves a route with `router` on a free port during the test, and returns the URL. */
export async function serve(mount: Mount): Promise<string> {
  const router = Router({ strict: true });
  router.all(mount.at ?? "/things", routeFor(mount));
  return startServer((request, response) => {
    router(request, response, (error?: unknown) => {
      response.writeHead(599).end(`not answered: ${String(error)}`);
    });
  });
}

/** Serves a route in an Express 5 app under `/sub`, after `express.json()` if `parsed`. */
export async function serveExpress(mount: Mount, parsed: boolean): Promise<string> {
  const app = express();
  if (parsed) app.use(express.json());
  const router = express.Router();
  router.all(mount.at ?? "/things", routeFor(mount));
  app.use("/sub", router);
  return `${await startServer(app)}/sub`;
}

/** Sends a request, and returns status, headers and the parsed JSON body. */
export async function sendRequest(
  url: string,
  init?: RequestInit,
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/**
 * Sends bytes over a new socket, and returns the received data when the server closes the connection, or when the data
 * contains `until`.
 */
export function raw(url: string, parts: (string | Uint8Array)[], until?: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let seen = "";
    const socket = connect(Number(port), hostname, () => {
      for (const part of parts) socket.write(part);
    });
    const finish = (): void => {
      socket.destroy();
      resolve(seen);
    };
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => {
      seen += text;
      if (until !== undefined && seen.includes(until)) finish();
    });
    socket.once("close", finish);
    // A reset after the response counts as closing.
    socket.once("error", (error) => (seen === "" ? reject(error) : finish()));
  });
}

async function echo(request: HttpRequest): Promise<HttpResponse> {
  return { status: 200, body: request };
}

function formatError(error: unknown): HttpResponse {
  if (error instanceof InvalidRequestError) {
    return { status: error.status, body: { reason: error.reason, message: error.message } };
  }
  return { status: 500, body: { reason: "bug", message: String(error) } };
}
