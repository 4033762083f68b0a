import type { IncomingMessage, ServerResponse } from "node:http";
import { ProvisionError } from "../access/checks.js";
import type { Counters } from "../access/counters.js";
import type { Usage } from "../access/usage.js";
import { parseId } from "../domain/ids.js";
import { ConflictError, StorageUnavailableError } from "../storage/errors.js";
import type { Store } from "../storage/store.js";
import { type Answer, page, redirect, send } from "./answer.js";
import { createApiRoutes } from "./api-routes.js";
import { loadAssets } from "./assets.js";
import { createCookies } from "./cookies.js";
import { FormRefused } from "./form.js";
import { createMemberRoutes } from "./member-routes.js";
import { messagePage } from "./pages/members.js";
import { startPage } from "./pages/start.js";
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
  /** Address of the API. */
  readonly baseUrl: string;
  /** Address of the web application. */
  readonly appUrl: string;
  /** Is told of the errors that are the service's own fault. */
  readonly onError: (error: unknown) => void;
}

type Route = (visit: Visit, part: string) => Answer | Promise<Answer>;

/** Makes the web application: the first page, accounts, and the settings. */
export function createWebApp(options: WebAppOptions): WebApp {
  const { store, usage, counters, baseUrl, appUrl, onError } = options;
  const context: WebContext = { store, appUrl, cookies: createCookies(appUrl) };
  const assets = loadAssets();
  const find = createRoutes(context, usage, counters, baseUrl);

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
    const found = find(method, path);
    if (!found) return false;
    const { route, part } = found;
    void readVisit(context, request)
      .then((visit) => route(visit, part))
      .catch((error: unknown) => failure(error, onError))
      .then((answer) => send(response, answer))
      .finally(() => {
        // What is left of a form that was refused must not hold the connection.
        if (!request.complete) request.resume();
      });
    return true;
  };
}

function createRoutes(context: WebContext, usage: Usage, counters: Counters, baseUrl: string) {
  const sign = createSignRoutes(context, createThrottle(counters));
  const api = createApiRoutes(context, usage);
  const members = createMemberRoutes(context);
  /** For who is signed in; others are led to sign in, and back. */
  const signedIn =
    (route: (visit: SignedIn, part: string) => Promise<Answer>): Route =>
    (visit, part) => {
      const { session, request } = visit;
      if (session) return route({ ...visit, session }, part);
      const next = request.method === "POST" ? "" : (request.url ?? "").split("?")[0];
      return redirect(`/sign-in${next ? `?next=${encodeURIComponent(next)}` : ""}`);
    };

  const fixed: Readonly<Record<string, Route>> = {
    "GET /": async (visit) => page(startPage(baseUrl, await viewerOf(context, visit))),
    "GET /sign-in": sign.showSignIn,
    "POST /sign-in": sign.signIn,
    "GET /sign-up": sign.showSignUp,
    "POST /sign-up": sign.signUp,
    "POST /sign-out": sign.signOut,
    "GET /settings/api": signedIn(api.show),
    "POST /settings/api/keys": signedIn(api.createKey),
    "GET /settings/members": signedIn(members.show),
    "POST /settings/members/invite": signedIn(members.invite),
    "POST /settings/workspace": signedIn(sign.switchWorkspace),
  };
  /** Paths with an id or a token in them. */
  const patterns: readonly (readonly [string, RegExp, Route])[] = [
    ["GET", /^\/join\/([\w-]{43})$/, sign.showJoin],
    ["POST", /^\/join\/([\w-]{43})$/, signedIn(sign.join)],
    ["POST", /^\/settings\/api\/keys\/([0-9a-f-]{36})\/rotate$/, signedIn(api.rotateKey)],
    ["POST", /^\/settings\/api\/keys\/([0-9a-f-]{36})\/revoke$/, signedIn(api.revokeKey)],
    ["POST", /^\/settings\/members\/([0-9a-f-]{36})\/remove$/, signedIn(members.remove)],
    ["POST", /^\/settings\/members\/invitations\/([0-9a-f-]{36})\/withdraw$/, signedIn(members.withdraw)],
  ];

  return (method: string, path: string): { route: Route; part: string } | undefined => {
    const name = `${method} ${path}`;
    const route = Object.hasOwn(fixed, name) ? fixed[name] : undefined;
    if (route) return { route, part: "" };
    for (const [wanted, pattern, handler] of patterns) {
      const part = wanted === method ? pattern.exec(path)?.[1] : undefined;
      if (part === undefined || (part.length === 36 && parseId(part) === undefined)) continue;
      return { route: handler, part };
    }
    return undefined;
  };
}

/** What somebody sees when their request cannot be answered. */
function failure(error: unknown, onError: (error: unknown) => void): Answer {
  if (error instanceof FormRefused)
    return page(messagePage("This did not work", error.message), error.status);
  if (error instanceof ProvisionError) return page(messagePage("This did not work", error.message), 400);
  onError(error);
  if (error instanceof StorageUnavailableError || error instanceof ConflictError) {
    return page(
      messagePage("Not available now", "The service cannot reach its storage. Try again soon."),
      503,
    );
  }
  return page(messagePage("Something went wrong", "The failure is noted. Try again."), 500);
}
