import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Store } from "../storage/store.js";

/** Answers a request whose path is its own; says whether there was one. */
export type SystemRoutes = (request: IncomingMessage, response: ServerResponse) => boolean;

type Answer = { status?: number; type: string; body: string | Uint8Array; policy?: string };

/** Redoc is one inline script that starts a worker from a blob and styles what it draws. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data:; font-src data:; worker-src blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

export interface SystemRoutesOptions {
  readonly store: Store;
  /** Whether the service is shutting down, so that it takes no new work. */
  readonly isClosing: () => boolean;
  /** Makes the text of `/metrics`. */
  readonly metrics: () => Promise<{ type: string; body: string }>;
  /** Is told of the errors that are the service's own fault. */
  readonly onError: (error: unknown) => void;
}

/** The paths beside API and pages, which need no key: `/docs`, `/openapi.json`, `/livez`, `/readyz`, `/metrics`. */
export function createSystemRoutes({
  store,
  isClosing,
  metrics,
  onError,
}: SystemRoutesOptions): SystemRoutes {
  const routes: Record<string, () => Answer | Promise<Answer>> = {
    "/docs": docs,
    "/openapi.json": async () => ({ type: "application/json; charset=utf-8", body: await readOpenApi() }),
    "/livez": () => text(200, "ok"),
    "/readyz": async () => {
      if (isClosing()) return text(503, "shutting down");
      const ready = await store.ping().then(
        () => true,
        () => false,
      );
      return ready ? text(200, "ok") : text(503, "the database cannot be read");
    },
    "/metrics": metrics,
  };
  return (request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (!route || (request.method !== "GET" && request.method !== "HEAD")) return false;
    void answer(route, response, onError);
    return true;
  };
}

async function answer(
  route: () => Answer | Promise<Answer>,
  response: ServerResponse,
  onError: (error: unknown) => void,
): Promise<void> {
  const {
    status = 200,
    type,
    body,
    policy,
  } = await Promise.resolve(route()).catch((error: unknown) => {
    onError(error);
    return text(500, "unexpected error");
  });
  // A request whose body cannot be read was refused meanwhile.
  if (response.headersSent) return;
  response.writeHead(status, {
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-cache",
    "X-Content-Type-Options": "nosniff",
    ...(policy ? { "Content-Security-Policy": policy } : {}),
  });
  response.end(body);
}

function text(status: number, line: string): Answer {
  return { status, type: "text/plain; charset=utf-8", body: `${line}\n` };
}

async function docs(): Promise<Answer> {
  try {
    const body = await readFile(packageFile("dist/docs.html"));
    return { type: "text/html; charset=utf-8", body, policy: DOCS_POLICY };
  } catch {
    return text(404, "The docs have not been built: run `npm run docs`.");
  }
}

function readOpenApi(): Promise<Uint8Array> {
  return readFile(packageFile("generated/openapi.json"));
}

/** A file of the package. This module runs from src/web while testing, and from dist/src/web when built. */
function packageFile(name: string): URL {
  const up = import.meta.url.endsWith(".ts") ? "../../" : "../../../";
  return new URL(`${up}${name}`, import.meta.url);
}
