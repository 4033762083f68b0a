import type { IncomingMessage, ServerResponse } from "node:http";
import type { ClientAddress } from "../access/client-address.js";
import { BusyError, ProvisionError } from "../access/checks.js";
import type { Counters } from "../access/counters.js";
import type { Usage } from "../access/usage.js";
import { ConflictError, StorageUnavailableError } from "../storage/errors.js";
import type { Store } from "../storage/store.js";
import { prefersHtml } from "./accept.js";
import { createAccountRoutes } from "./account-routes.js";
import { type Answer, page, redirect, send } from "./answer.js";
import { createApiRoutes } from "./api-routes.js";
import { loadAssets } from "./assets.js";
import { createCookies } from "./cookies.js";
import { FormRefused } from "./form.js";
import { createMemberRoutes } from "./member-routes.js";
import { messagePage } from "./pages/message.js";
import { missingPage } from "./pages/missing.js";
import { startPage } from "./pages/start.js";
import { findRoute, type FoundRoute, type RouteName, ROUTES } from "./routes.js";
import { createSignRoutes } from "./sign-routes.js";
import { createThrottle } from "./throttle.js";
import { readVisit, type SignedIn, viewerOf, type Visit, type WebContext } from "./visit.js";

/** Answers a request whose path is one of the web application; says whether it is. */
export type WebApp = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface WebAppOptions {
  readonly store: Store;
  readonly usage: Usage;
  /** What tries to sign in are counted with. */
  readonly counters: Counters;
  readonly addressOf: ClientAddress;
  /** Address of the API. */
  readonly baseUrl: string;
  /** Address of the web application. */
  readonly appUrl: string;
  /** Is told of the errors that are the service's own fault. */
  readonly onError: (error: unknown) => void;
}

/** Answers the requests of each route; where nobody gets in without being signed in, there is a session. */
type Handlers = {
  [Name in RouteName]: (
    visit: (typeof ROUTES)[Name]["audience"] extends "anyone" ? Visit : SignedIn,
    part: string,
  ) => Answer | Promise<Answer>;
};

/** Makes the web application: the first page, accounts, and the settings. */
export function createWebApp(options: WebAppOptions): WebApp {
  const { store, baseUrl, appUrl, addressOf, onError } = options;
  const context: WebContext = { store, appUrl, addressOf, cookies: createCookies(appUrl) };
  const assets = loadAssets();
  const handlers = createHandlers(context, options);

  /** Lets in whom the route is for. */
  const answer = async (visit: Visit, { name, part }: FoundRoute): Promise<Answer> => {
    const { audience } = ROUTES[name];
    const { session } = visit;
    if (audience !== "anyone") {
      if (session === undefined) return redirect(signInPath(visit));
      if (audience === "owner" && session.role !== "owner") {
        throw new FormRefused(403, "Only an owner of the workspace can do this.");
      }
    }
    // The cast: where a handler needs a session, there is one by now.
    return handlers[name]({ ...visit, session } as SignedIn, part);
  };

  /** For browsers; a program that asks for such a path gets the API's error. */
  const answerMissing = async (visit: Visit): Promise<Answer> =>
    page(missingPage(baseUrl, await viewerOf(context, visit)), 404);

  const answerOrExplain = async (
    request: IncomingMessage,
    found: FoundRoute | undefined,
  ): Promise<Answer> => {
    let visit: Visit | undefined;
    try {
      visit = await readVisit(context, request);
      return await (found ? answer(visit, found) : answerMissing(visit));
    } catch (error) {
      if (!(error instanceof FormRefused || error instanceof ProvisionError)) return failure(error, onError);
      const status = error instanceof FormRefused ? error.status : 400;
      const viewer = { session: visit?.session, memberships: [] };
      return page(messagePage("This did not work", error.message, viewer), status);
    }
  };

  return (request, response) => {
    const url = request.url ?? "";
    // Most requests are for the API.
    if (url.startsWith("/v1/")) return false;
    const path = url.split("?")[0] ?? "";
    const method = request.method === "HEAD" ? "GET" : (request.method ?? "");
    const asset = method === "GET" ? assets.get(path) : undefined;
    if (asset) {
      send(response, asset);
      return true;
    }
    const found = findRoute(method, path);
    const isLost = method === "GET" && path !== "/v1" && prefersHtml(request.headers.accept);
    if (!found && !isLost) return false;
    void answerOrExplain(request, found)
      .then((reply) => send(response, reply))
      .finally(() => {
        // What is left of a form that was refused must not hold the connection.
        if (!request.complete) request.resume();
      });
    return true;
  };
}

function createHandlers(context: WebContext, { usage, counters, baseUrl }: WebAppOptions): Handlers {
  const throttle = createThrottle(counters);
  return {
    start: async (visit) => page(startPage(baseUrl, await viewerOf(context, visit))),
    ...createSignRoutes(context, throttle),
    ...createApiRoutes(context, usage),
    ...createMemberRoutes(context),
    ...createAccountRoutes(context, throttle),
  };
}

/** Where who is not signed in is led: to sign in, and back to the page that they asked for. */
function signInPath({ request }: Visit): string {
  const next = request.method === "POST" ? "" : (request.url ?? "").split("?")[0];
  return `/sign-in${next ? `?next=${encodeURIComponent(next)}` : ""}`;
}

/** What somebody sees when their request cannot be answered for a reason of ours. */
function failure(error: unknown, onError: (error: unknown) => void): Answer {
  if (error instanceof BusyError) {
    return page(messagePage("Not available now", "Too many people sign in at once. Try again soon."), 503);
  }
  onError(error);
  if (error instanceof StorageUnavailableError || error instanceof ConflictError) {
    return page(
      messagePage("Not available now", "The service cannot reach its storage. Try again soon."),
      503,
    );
  }
  return page(messagePage("Something went wrong", "The failure is noted. Try again."), 500);
}
