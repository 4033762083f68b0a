import type { IncomingMessage, ServerResponse } from "node:http";
import type { AccountService } from "../access/account-service.js";
import type { ReadClientAddress } from "../access/client-address.js";
import { endSession, readSession, type Session } from "../access/sessions.js";
import { newToken, areEqualSecrets } from "../access/tokens.js";
import { listMemberships, type Membership } from "../access/members.js";
import type { SessionTokens } from "../access/sign-in.js";
import type { ReadScope } from "../operations/scope.js";
import type { Store } from "../storage/engine/store.js";
import type { Cookies } from "./cookies.js";
import { checkOrigin, type GetField, readForm } from "./form.js";
import { WebRequestError } from "./web-request-error.js";
import type { Html } from "./html.js";
import type { FormError } from "./pages/form-elements.js";
import type { PageContext } from "./pages/layout.js";
import { createHtmlResponse, createRedirect, type WebResponse, addCookies } from "./response.js";
import type { TrustedHosts } from "./trusted-hosts.js";

/** A request to the web application, with its session. */
export interface WebRequest {
  readonly httpRequest: IncomingMessage;
  /** The response that `sendResponse` sends. Handlers only notice when its client leaves. */
  readonly httpResponse: ServerResponse;
  readonly query: URLSearchParams;
  /** Value of the parameter in the path of the route, such as `:id`; empty if the path has none. */
  readonly param: string;
  /** Undefined when nobody is signed in. */
  readonly session: Session | undefined;
}

/** A request of a signed-in person. */
export type SignedInRequest = WebRequest & { readonly session: Session };

/** The parts of the service that web pages use. */
export interface WebContext {
  readonly store: Store;
  readonly accounts: AccountService;
  readonly cookies: Cookies;
  /** Address of the web application. */
  readonly appUrl: string;
  readonly trustedHosts: TrustedHosts;
  readonly readClientAddress: ReadClientAddress;
  /**
   * Waits until a page of a workspace may be rendered, see runInRenderTurn.
   *
   * @throws BusyError when too many pages of the workspace wait, or the client has not read earlier responses
   */
  readonly awaitRenderTurn: (
    request: IncomingMessage,
    response: ServerResponse,
    workspaceId: string,
  ) => Promise<RenderTurn>;
}

/** Turn of a page among the pages that are rendered concurrently. */
export interface RenderTurn {
  /** The slot of the page. Other pages can have it during the scans of this one. */
  readonly slot: NonNullable<ReadScope["slot"]>;
  /** Is aborted when the browser closes the connection before it has the page. */
  readonly signal: AbortSignal;
}

/** Renders a page in the turn of its workspace, so that many large pages do not fill the memory at once. */
export async function runInRenderTurn(
  { awaitRenderTurn }: WebContext,
  { httpRequest, httpResponse, session }: SignedInRequest,
  render: (turn: RenderTurn) => Promise<WebResponse>,
): Promise<WebResponse> {
  const turn = await awaitRenderTurn(httpRequest, httpResponse, session.workspaceId);
  try {
    return await render(turn);
  } finally {
    turn.slot.end();
  }
}

/** Reads the query string and the session of a request, whose cookie has the session token. */
export async function readRequest(
  { store, cookies }: WebContext,
  httpRequest: IncomingMessage,
  httpResponse: ServerResponse,
  param: string,
): Promise<WebRequest> {
  const [, query = ""] = (httpRequest.url ?? "").split("?", 2);
  const token = cookies.readSession(httpRequest);
  const session = token === undefined ? undefined : await readSession(store, token);
  return { httpRequest, httpResponse, query: new URLSearchParams(query), param, session };
}

/** Loads the data for the layout of every page: the session and the workspaces to choose from. */
export async function loadPageContext<R extends WebRequest>(
  { store }: WebContext,
  { session }: R,
): Promise<PageContext & { session: R["session"] }> {
  const memberships: Membership[] = session ? await listMemberships(store, session.accountId) : [];
  return { session, memberships };
}

/** Sets the cookies of a person who has signed in, ends the previous session, and redirects. */
export async function redirectWithSession(
  { store, cookies }: WebContext,
  { httpRequest }: WebRequest,
  { sessionToken, deviceToken }: SessionTokens,
  path: string,
): Promise<WebResponse> {
  const previousToken = cookies.readSession(httpRequest);
  if (previousToken !== undefined) await endSession(store, previousToken);
  return addCookies(
    createRedirect(path),
    cookies.formatSession(sessionToken),
    cookies.formatDevice(deviceToken),
  );
}

/** Reads a form. Throws WebRequestError when another site sent it, it is too large, or it has no valid CSRF token. */
export async function receiveForm(
  { cookies, trustedHosts }: WebContext,
  { httpRequest, session }: WebRequest,
): Promise<GetField> {
  checkOrigin(httpRequest, trustedHosts);
  const getField = await readForm(httpRequest);
  // A visitor without a session gets the CSRF token in a cookie.
  const csrfToken = session?.csrfToken ?? cookies.readVisitor(httpRequest);
  if (csrfToken === undefined || !areEqualSecrets(getField("csrf"), csrfToken)) {
    throw new WebRequestError(403, "This form is out of date. Go back, reload the page and try again.");
  }
  return getField;
}

/** Creates a page with a form for visitors. Without a session, its CSRF token is in a cookie, which several tabs share. */
export function createVisitorFormResponse(
  { cookies }: WebContext,
  { httpRequest, session }: WebRequest,
  render: (csrfToken: string) => Html,
  error: FormError | undefined,
): WebResponse {
  if (session) return createHtmlResponse(render(session.csrfToken), error?.status);
  const token = cookies.readVisitor(httpRequest) ?? newToken();
  return addCookies(createHtmlResponse(render(token), error?.status), cookies.formatVisitor(token));
}
