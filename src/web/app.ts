import type { IncomingMessage, ServerResponse } from "node:http";
import Router, { type ErrorRequestHandler, type Request, type RequestHandler } from "router";
import { accountHandlers } from "./account-routes.js";
import { compressPage } from "./compression.js";
import { contentHandlers } from "./content-routes.js";
import { createCookies } from "./cookies.js";
import { createErrorPage, createWrongAddressPage } from "./error-page.js";
import { keyHandlers } from "./key-routes.js";
import { memberHandlers } from "./member-routes.js";
import { withNotice } from "./notices.js";
import { renderMessagePage, renderNotFoundPage } from "./pages/message.js";
import { renderStartPage } from "./pages/start.js";
import {
  loadLayoutData,
  readRequest,
  type SignedInRequest,
  type WebContext,
  type WebRequest,
} from "./request.js";
import {
  addHeader,
  createHtmlResponse,
  createRedirect,
  prefersHtml,
  sendWebResponse,
  type WebResponse,
} from "./response.js";
import {
  PARAM_PATTERNS,
  type Route,
  type RouteHandlers,
  type RouteName,
  ROUTES,
  SETTINGS_PATH,
  START_PATH,
} from "./routes.js";
import { signInHandlers } from "./sign-in-routes.js";
import { trashHandlers } from "./trash-routes.js";
import { createTrustedHosts } from "./trusted-hosts.js";
import { WebRequestError } from "./web-request-error.js";

interface WebAppOptions extends Omit<WebContext, "cookies" | "trustedHosts"> {
  readonly onError: (error: unknown, request: IncomingMessage) => void;
}

const HANDLERS: RouteHandlers = {
  async start(request) {
    const { session, context } = request;
    if (session !== undefined) return contentHandlers.showWorkspace({ ...request, session });
    const { baseUrl, accounts } = context;
    const page = renderStartPage(baseUrl, await loadLayoutData(request), accounts.registration);
    return createHtmlResponse(page);
  },
  settings: () => createRedirect(SETTINGS_PATH),
  ...signInHandlers,
  ...keyHandlers,
  ...memberHandlers,
  ...accountHandlers,
  ...contentHandlers,
  ...trashHandlers,
};

/** Explains an invitation or reset link whose token does not match its pattern. */
const INCOMPLETE_LINK_TEXT =
  "A part of it is missing, or it has additional characters. Copy the whole link from the message that you received.";

type WebHandler = (request: WebRequest) => Promise<WebResponse>;

/** Creates the router of the web application. Passes on unknown paths from clients other than browsers, and unexpected errors. */
export function createWebApp({ onError, ...options }: WebAppOptions): Router.Router {
  const { appUrl, baseUrl } = options;
  const context: WebContext = {
    ...options,
    cookies: createCookies(appUrl),
    trustedHosts: createTrustedHosts([appUrl, baseUrl]),
  };
  const respondWith =
    (handle: WebHandler): RequestHandler =>
    (request, response) =>
      void respond(context, request, response, handle, onError);
  const router = Router({ caseSensitive: true, strict: true });
  for (const [name, source] of Object.entries(PARAM_PATTERNS)) {
    const pattern = new RegExp(`^${source}$`);
    router.param(name, (_request, _response, next, value: string) =>
      pattern.test(value) ? next() : next("route"),
    );
  }
  // Safe cast: Object.keys does not keep the type of the keys.
  for (const name of Object.keys(ROUTES) as RouteName[]) {
    const { method, path } = ROUTES[name];
    router[method === "GET" ? "get" : "post"](
      path,
      respondWith((request) => dispatch(name, request)),
    );
  }
  for (const path of new Set(Object.values(ROUTES).map((route) => route.path))) {
    if (!listMethods(path).includes("GET")) {
      // Browsers request the address of a sent form again, for example when people press Enter in the address bar.
      const redirect = createRedirect(findParentPage(path));
      router.get(path, (_request, response) => sendWebResponse(response, redirect));
    }
    router.all(path, forBrowsers(respondWith((request) => refuseMethod(request, listMethods(path)))));
  }
  const respondNotFound = forBrowsers(respondWith(showNotFound));
  router.use(respondNotFound);
  router.use(((error, request, response, next) =>
    isDecodingError(error)
      ? respondNotFound(request, response, next)
      : next(error)) satisfies ErrorRequestHandler);
  return router;
}

/** Whether the router threw the error for a path parameter with invalid percent-encoding. It sets the status of such errors. */
function isDecodingError(error: unknown): boolean {
  return error instanceof URIError && "status" in error && error.status === 400;
}

/** Restricts a handler to browsers. Requests of other clients are passed on. */
function forBrowsers(handle: RequestHandler): RequestHandler {
  return (request, response, next) => (prefersHtml(request) ? handle(request, response, next) : next());
}

async function respond(
  context: WebContext,
  request: Request,
  response: ServerResponse,
  handle: WebHandler,
  onError: WebAppOptions["onError"],
): Promise<void> {
  let webRequest: WebRequest | undefined;
  try {
    if (!context.trustedHosts.isTrustedHost(request.headers.host)) {
      return sendWebResponse(response, createWrongAddressPage(context.appUrl));
    }
    // No path has more than one parameter.
    const [param = ""] = Object.values(request.params);
    webRequest = await readRequest(context, request, response, String(param));
    sendWebResponse(response, await compressPage(request, await handle(webRequest)));
  } catch (error) {
    // Errors after the browser has left, such as canceled scans, are expected.
    const report = (cause: unknown): void => {
      if (!response.destroyed) onError(cause, request);
    };
    sendWebResponse(response, await createErrorPage(error, webRequest, report));
  } finally {
    // Discards the rest of a refused form, which would block the connection.
    if (!request.complete) request.resume();
  }
}

/** Runs the handler of a route if the visitor may use it. Redirects anonymous visitors to the sign-in form. */
async function dispatch(name: RouteName, request: WebRequest): Promise<WebResponse> {
  const { audience } = ROUTES[name];
  const { session } = request;
  if (audience !== "anyone") {
    if (session === undefined) return createRedirect(getSignInPath(ROUTES[name], request));
    if (audience === "owner" && session.role !== "owner") {
      throw new WebRequestError(403, `Only an owner of ${session.workspaceName} can do this.`);
    }
  }
  // Safe cast: handlers that need a session belong to routes that were refused above without one.
  return HANDLERS[name](request as SignedInRequest);
}

async function refuseMethod(request: WebRequest, methods: readonly string[]): Promise<WebResponse> {
  const text = `This page does not support ${request.httpRequest.method} requests.`;
  const page = renderMessagePage("Method not allowed", text, await loadLayoutData(request));
  return addHeader(createHtmlResponse(page, 405), "Allow", methods.join(", "));
}

async function showNotFound(request: WebRequest): Promise<WebResponse> {
  const { url = "" } = request.httpRequest;
  const isTokenLink = /^\/(join|reset)\//.test(url);
  // Only plain names, because a browser would take a path such as `//example.org` for an address of another site.
  const [, path, query = ""] = /^((?:\/[\w-]+)+)\/(\?.*)?$/.exec(url) ?? [];
  if (path !== undefined && !isTokenLink) return createRedirect(path + query);
  const layoutData = await loadLayoutData(request);
  const page = isTokenLink
    ? renderMessagePage("This link is incomplete", INCOMPLETE_LINK_TEXT, layoutData)
    : renderNotFoundPage(request.context.baseUrl, layoutData);
  return createHtmlResponse(page, 404);
}

/** Returns the path of the sign-in form, which leads back to the requested page, or to the page of a submitted form. */
function getSignInPath({ method, path }: Route, { context, httpRequest }: WebRequest): string {
  const { url = "" } = httpRequest;
  if (method === "GET") {
    const hadSession = context.cookies.readSession(httpRequest) !== undefined;
    const path = hadSession ? `${withNotice("/sign-in", "signed-out")}&` : "/sign-in?";
    return `${path}next=${encodeURIComponent(url)}`;
  }
  const formPage = listMethods(path).includes("GET") ? url : findParentPage(path);
  return `${withNotice("/sign-in", "session-ended")}&next=${encodeURIComponent(formPage)}`;
}

function listMethods(path: string): string[] {
  return Object.values(ROUTES)
    .filter((route) => route.path === path)
    .flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}

/** Returns the closest page above the route of a form, which has no page itself. The routes of such pages have no parameters. */
function findParentPage(routePath: string): string {
  const parent = routePath.slice(0, routePath.lastIndexOf("/"));
  if (parent === "") return START_PATH;
  return listMethods(parent).includes("GET") ? parent : findParentPage(parent);
}
