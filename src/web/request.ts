import type { IncomingMessage, ServerResponse } from "node:http";
import type { AccountService } from "../access/accounts/account-service.js";
import type { LookupQueue } from "../access/keys/authenticate.js";
import type { ReadClientAddress } from "../access/limits/client-address.js";
import { findMemberPrincipal, listMemberships } from "../access/workspaces/members.js";
import {
  endSession,
  continueSession,
  type Session,
  type SessionTokens,
} from "../access/accounts/sessions.js";
import type { UsageRecorder } from "../access/limits/usage.js";
import { awaitEventLoopTurn } from "../operations/execution/event-loop-turns.js";
import type { ReadScope, Scopes } from "../operations/execution/scope.js";
import type { Store } from "../storage/engine/store.js";
import type { Cookies } from "./cookies.js";
import type { Html } from "./html.js";
import type { LayoutData, SignedInLayoutData } from "./pages/layout.js";
import { RenderBudget } from "./render/budget.js";
import { formatParts } from "./render/format-parts.js";
import {
  addHeader,
  CONTENT_POLICY,
  createHtmlResponse,
  createRedirect,
  type WebResponse,
} from "./response.js";
import type { TrustedHosts } from "./trusted-hosts.js";

/** The parts of the service that web pages use. */
export interface WebContext {
  readonly store: Store;
  readonly accounts: AccountService;
  readonly usage: UsageRecorder;
  readonly scopes: Scopes;
  readonly cookies: Cookies;
  /** Address of the web application. */
  readonly appUrl: string;
  /** Address of the API. */
  readonly baseUrl: string;
  readonly trustedHosts: TrustedHosts;
  readonly readClientAddress: ReadClientAddress;
  readonly queueLookup: LookupQueue;
  /** Waits for a slot to render a page. Throws BusyError when too many pages wait, or the client does not read its responses. */
  readonly waitForRenderSlot: (
    request: IncomingMessage,
    response: ServerResponse,
    workspaceId: string,
  ) => Promise<RenderSlot>;
}

/** Slot of a page among the pages that are rendered concurrently. */
interface RenderSlot {
  /** Other pages can have the slot during the scans of this one. */
  readonly slot: ReadScope["slot"];
  /** Is aborted when the browser leaves before it has the page, and after READ_DEADLINE_MS. */
  readonly signal: AbortSignal;
}

/** A request to the web application, with its session. */
export interface WebRequest {
  readonly context: WebContext;
  readonly httpRequest: IncomingMessage;
  /** The HTTP response. Handlers use it only to notice that the client has left. */
  readonly httpResponse: ServerResponse;
  /** IP address of the client; undefined when the connection is closed. */
  readonly address: string | undefined;
  readonly query: URLSearchParams;
  /** Value of the parameter in the path of the route, such as `:id`; empty if the path has none. */
  readonly param: string;
  /** Undefined when nobody is signed in. */
  readonly session: Session | undefined;
}

export type SignedInRequest = WebRequest & { readonly session: Session };

/** Reads the query string and the session of a request, whose cookie has the session token. */
export async function readRequest(
  context: WebContext,
  httpRequest: IncomingMessage,
  httpResponse: ServerResponse,
  param: string,
): Promise<WebRequest> {
  const address = context.readClientAddress(httpRequest);
  const query = new URLSearchParams((httpRequest.url ?? "").replace(/^[^?]*/, ""));
  const token = context.cookies.readSession(httpRequest);
  const session =
    token === undefined
      ? undefined
      : await context.queueLookup(address, () => continueSession(context.store, token));
  return { context, httpRequest, httpResponse, address, query, param, session };
}

/** Loads the data for the layout of every page: the session and the workspaces to choose from. */
export async function loadLayoutData<R extends WebRequest>({
  context,
  session,
}: R): Promise<LayoutData & { session: R["session"] }> {
  return { session, memberships: session ? await listMemberships(context.store, session.accountId) : [] };
}

/** Renders a page when its workspace gets a slot, so that many large pages do not fill the memory at once. */
export async function withRenderSlot(
  { context, httpRequest, httpResponse, session }: SignedInRequest,
  render: (renderSlot: RenderSlot) => Promise<WebResponse>,
): Promise<WebResponse> {
  const renderSlot = await context.waitForRenderSlot(httpRequest, httpResponse, session.workspaceId);
  try {
    return await render(renderSlot);
  } finally {
    renderSlot.slot.end();
  }
}

/** Wraps the handler of a page with content, which waits for a slot and reads with the permissions of the signed-in person. */
export function withReadScope(
  handle: (request: SignedInRequest, scope: ReadScope) => Promise<WebResponse>,
): (request: SignedInRequest) => Promise<WebResponse> {
  return (request) =>
    withRenderSlot(request, async ({ slot, signal }) => {
      const { store, scopes } = request.context;
      const principal = await findMemberPrincipal(store, request.session);
      return handle(
        request,
        scopes.createReadScope(principal, () => signal, slot),
      );
    });
}

/** Renders a page with content in turns of the event loop, because pages of several workspaces can be ready at the same time. */
export async function createContentPage(
  request: SignedInRequest,
  render: (layoutData: SignedInLayoutData, budget: RenderBudget) => Html,
  status = 200,
): Promise<WebResponse> {
  const layoutData = await loadLayoutData(request);
  const waitForTurn = (): Promise<void> => awaitEventLoopTurn(request.session.workspaceId);
  await waitForTurn();
  const budget = new RenderBudget();
  const page = await formatParts(render(layoutData, budget), budget.parts, waitForTurn);
  // Sending a page of 3 MB takes almost as long as rendering it.
  await waitForTurn();
  return createHtmlResponse(page, status, CONTENT_POLICY);
}

/** Sets the cookies of a person who has signed in, ends the previous session, and redirects. */
export async function redirectWithSession(
  { context: { store, cookies }, httpRequest }: WebRequest,
  { sessionToken, deviceToken }: SessionTokens,
  path: string,
): Promise<WebResponse> {
  const previousToken = cookies.readSession(httpRequest);
  if (previousToken !== undefined) await endSession(store, previousToken);
  const values = [cookies.formatSession(sessionToken), cookies.formatDevice(deviceToken)];
  return addHeader(createRedirect(path), "Set-Cookie", values);
}
