import express from "express";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import Router from "router";
import { type Handlers, registerRoutes, type RouteTarget } from "../../generated/routes.js";
import type { Binder, RouteHandler } from "../../src/http/index.js";

/** One mounted route. */
export interface Mounted {
  readonly method: string;
  readonly path: string;
}

/** A router with the generated routes. */
export interface Mount {
  readonly routes: readonly Mounted[];
  readonly listener: RequestListener;
}

/** Handlers for any operation, which return the name under which they were called. */
const echo = new Proxy(
  {},
  {
    get: (_, group) =>
      new Proxy(
        {},
        {
          get: (_, operation) => async () => ({ status: 200, body: `${String(group)}.${String(operation)}` }),
        },
      ),
  },
  // The cast: the proxy has every member.
) as Handlers<undefined>;

/** Binds an operation to a handler; the response is `operation group.method`. */
const bind: Binder<undefined> = (operation, handler) => (_request, response, next) => {
  // The cast: these handlers ignore the request.
  handler({} as never, undefined)
    .then(({ body }) => response.end(`${operation.name} ${String(body)}`))
    .catch(next);
};

interface Layer {
  route?: { path: string; stack: { method: string }[] } | undefined;
}

/** Reads the routes of a router's stack, which has the same format in both routers. */
function readRoutes(stack: readonly Layer[]): Mounted[] {
  return stack.flatMap(({ route }) =>
    (route?.stack ?? []).map(({ method }) => ({ method: method.toUpperCase(), path: route?.path ?? "" })),
  );
}

function mountOn<Target extends RouteTarget<RouteHandler>>(target: Target): Target {
  registerRoutes(target, echo, bind);
  return target;
}

/** Mounts the generated routes on the bare `router` package. */
export function mountOnRouter(): Mount {
  const router = mountOn(Router());
  const notFound = (response: ServerResponse) => (): void => void response.writeHead(404).end();
  return {
    // The cast: the types of `router` omit the stack.
    routes: readRoutes((router as typeof router & { stack: Layer[] }).stack),
    listener: (request: IncomingMessage, response: ServerResponse) =>
      router(request, response, notFound(response)),
  };
}

/** Mounts the generated routes on an Express 5 application. */
export function mountOnExpress(): Mount {
  const app = mountOn(express());
  // The cast: Express declares its layers with another type.
  return { routes: readRoutes(app.router.stack as Layer[]), listener: app };
}
