import type { IncomingMessage, ServerResponse } from "node:http";
import Router from "router";
import type { UsageRecorder } from "../access/usage.js";
import type { Scopes } from "../operations/scope.js";
import { createAccountRoutes } from "./account-routes.js";
import { compressPage } from "./compression.js";
import { createContentRoutes } from "./content-routes.js";
import { createCookies } from "./cookies.js";
import { createErrorPage, createWrongAddressPage } from "./error-page.js";
import { WebRequestError } from "./web-request-error.js";
import { createKeyRoutes } from "./key-routes.js";
import { createMemberRoutes } from "./member-routes.js";
import { renderMessagePage, renderNotFoundPage } from "./pages/message.js";
import { renderStartPage } from "./pages/start.js";
import {
  loadPageContext,
  readRequest,
  type SignedInRequest,
  type WebContext,
  type WebRequest,
} from "./request.js";
import {
  addHeader,
  createHtmlResponse,
  createRedirect,
  sendResponse,
  type WebResponse,
  prefersHtml,
} from "./response.js";
import { type RouteHandlers, type RouteName, ROUTES, SETTINGS_PATH, START_PATH } from "./routes.js";
import { createSignInRoutes } from "./sign-in-routes.js";
import { createTrustedHosts } from "./trusted-hosts.js";

export interface WebAppOptions extends Omit<WebContext, "cookies" | "trustedHosts"> {
  readonly usage: UsageRecorder;
  readonly scopes: Scopes;
  /** Address of the API. */
  readonly baseUrl: string;
  readonly onError: (error: unknown) => void;
}

/** Patterns of the path parameters. A route does not match a path with any other value. */
const PARAM_PATTERNS = {
  object: /^[0-9a-f]{32}$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  token: /^[\w-]{43}$/,
};

/** Creates the router of the web application. It passes unknown paths of clients other than browsers on to the API. */
export function createWebApp(options: WebAppOptions): Router.Router {
  const { baseUrl, appUrl, onError } = options;
  const trustedHosts = createTrustedHosts([appUrl, baseUrl]);
  const context: WebContext = { ...options, cookies: createCookies(appUrl), trustedHosts };
  const handlers = createRouteHandlers(context, options);

  /** Runs the handler of a route if its audience includes the session. Redirects anonymous visitors to the sign-in form. */
  async function dispatch(name: RouteName, request: WebRequest): Promise<WebResponse> {
    const { audience } = ROUTES[name];
    const { session } = request;
    if (audience !== "anyone" && session === undefined) return createRedirect(getSignInPath(name, request));
    if (audience === "owner" && session?.role !== "owner") {
      throw new WebRequestError(403, "Only an owner of the workspace can do this.");
    }
    // The cast: handlers that need a session belong to routes for which it was checked.
    return handlers[name](request as SignedInRequest);
  }

  /** Reads the request and sends the response of a handler, or a page that explains the error. */
  async function respond(
    request: IncomingMessage,
    response: ServerResponse,
    param: string,
    handle: (request: WebRequest) => Promise<WebResponse>,
  ): Promise<void> {
    let webRequest: WebRequest | undefined;
    try {
      if (!trustedHosts.isTrustedHost(request.headers.host)) {
        return sendResponse(response, createWrongAddressPage(appUrl));
      }
      webRequest = await readRequest(context, request, response, param);
      sendResponse(response, await compressPage(request, await handle(webRequest)));
    } catch (error) {
      // Errors after the browser has left, such as canceled scans, are expected.
      const report = response.destroyed ? () => {} : onError;
      sendResponse(response, await createErrorPage(context, error, webRequest, report));
    } finally {
      // Discards the rest of a refused form, which would block the connection.
      if (!request.complete) request.resume();
    }
  }

  const router = Router({ caseSensitive: true, strict: true });
  for (const [name, pattern] of Object.entries(PARAM_PATTERNS)) {
    router.param(name, (_request, _response, next, value: string) =>
      pattern.test(value) ? next() : next("route"),
    );
  }
  // The cast: Object.keys does not keep the type of the keys.
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    const { method, path } = ROUTES[name];
    router[method === "GET" ? "get" : "post"](path, (request, response) => {
      // No path has more than one parameter.
      const [param = ""] = Object.values(request.params);
      void respond(request, response, String(param), (webRequest) => dispatch(name, webRequest));
    });
  }
  for (const path of new Set(Object.values(ROUTES).map((route) => route.path))) {
    const methods = listMethods(path);
    if (!methods.includes("GET")) {
      // Browsers request the address of a sent form again, for example when people press Enter in the address bar.
      router.get(path, (_request, response) => sendResponse(response, createRedirect(findParentPage(path))));
    }
    router.all(path, (request, response, next) => {
      if (!prefersHtml(request)) return next();
      void respond(request, response, "", async (webRequest) => {
        const text = `This page does not support ${request.method} requests.`;
        const page = renderMessagePage(
          "Method not allowed",
          text,
          await loadPageContext(context, webRequest),
        );
        return addHeader(createHtmlResponse(page, 405), "Allow", methods.join(", "));
      });
    });
  }
  function respondNotFound(request: IncomingMessage, response: ServerResponse, next: () => void): void {
    if (!prefersHtml(request)) return next();
    void respond(request, response, "", async (webRequest) =>
      createHtmlResponse(renderNotFoundPage(baseUrl, await loadPageContext(context, webRequest)), 404),
    );
  }
  router.use(respondNotFound);
  // A path with invalid percent-encoding.
  router.use((_error: unknown, request: IncomingMessage, response: ServerResponse, next: () => void) =>
    respondNotFound(request, response, next),
  );
  return router;
}

function createRouteHandlers(
  context: WebContext,
  { usage, accounts, scopes, baseUrl }: WebAppOptions,
): RouteHandlers {
  const content = createContentRoutes(context, scopes, baseUrl);
  return {
    async start(request) {
      const { session } = request;
      if (session !== undefined) return content.showWorkspace({ ...request, session });
      return createHtmlResponse(
        renderStartPage(baseUrl, await loadPageContext(context, request), accounts.registration),
      );
    },
    settings: () => createRedirect(SETTINGS_PATH),
    ...createSignInRoutes(context),
    ...createKeyRoutes(context, usage, baseUrl),
    ...createMemberRoutes(context),
    ...createAccountRoutes(context),
    ...content,
  };
}

/** Returns the path of the sign-in form, which leads back to the requested page, or to the page of a submitted form. */
function getSignInPath(name: RouteName, { httpRequest }: WebRequest): string {
  const { method, path } = ROUTES[name];
  if (method === "POST") return `/sign-in?ended&next=${encodeURIComponent(findParentPage(path))}`;
  return `/sign-in?next=${encodeURIComponent(httpRequest.url ?? "")}`;
}

function listMethods(path: string): string[] {
  return Object.values(ROUTES)
    .filter((route) => route.path === path)
    .flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}

/** Returns the closest page above the path of a form. */
function findParentPage(path: string): string {
  const parent = path.slice(0, path.lastIndexOf("/"));
  return parent === "" || listMethods(parent).includes("GET") ? parent || START_PATH : findParentPage(parent);
}
