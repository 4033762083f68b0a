import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Accounts } from "../access/accounts.js";
import type { ClientAddress } from "../access/client-address.js";
import { endSession, newToken, readSession, type Session } from "../access/sessions.js";
import type { Membership } from "../access/members.js";
import { listMemberships } from "../access/members.js";
import type { Store } from "../storage/engine/store.js";
import type { Cookies } from "./cookies.js";
import { checkOrigin, readForm, RequestRefused } from "./form.js";
import type { PageContext } from "./pages/layout.js";
import { redirect, type WebResponse, withCookies } from "./response.js";
import type { TrustedHosts } from "./trusted-hosts.js";

/** Request of a browser with its session. */
export interface WebRequest {
  readonly request: IncomingMessage;
  readonly query: URLSearchParams;
  /** Value of `:id` or `:token` in the path; empty without one. */
  readonly param: string;
  /** Undefined when nobody is signed in. */
  readonly session: Session | undefined;
}

/** Request of a signed-in person. */
export type SignedInRequest = WebRequest & { readonly session: Session };

/** Dependencies that all routes share. */
export interface WebContext {
  readonly store: Store;
  readonly accounts: Accounts;
  readonly cookies: Cookies;
  readonly appUrl: string;
  readonly trustedHosts: TrustedHosts;
  readonly addressOf: ClientAddress;
}

/** Reads the session and the query of a request. */
export async function readRequest(
  { store, cookies }: WebContext,
  request: IncomingMessage,
  param: string,
): Promise<WebRequest> {
  const [, query = ""] = (request.url ?? "").split("?", 2);
  const token = cookies.readSession(request);
  const session = token === undefined ? undefined : await readSession(store, token);
  return { request, query: new URLSearchParams(query), param, session };
}

/** Loads the data for the layout of every page: the session and the workspaces to choose from. */
export async function loadPageContext<R extends WebRequest>(
  { store }: WebContext,
  { session }: R,
): Promise<PageContext & { session: R["session"] }> {
  const memberships: Membership[] = session ? await listMemberships(store, session.accountId) : [];
  return { session, memberships };
}

/** Sets the cookie of a new session, ends the previous one, and redirects. */
export async function redirectWithSession(
  { store, cookies }: WebContext,
  { request }: WebRequest,
  token: string,
  path: string,
  ...otherCookies: string[]
): Promise<WebResponse> {
  const previous = cookies.readSession(request);
  if (previous !== undefined) await endSession(store, previous);
  return withCookies(redirect(path), cookies.session(token), ...otherCookies);
}

/**
 * Reads a form that was sent by one of our pages.
 *
 * @returns The fields.
 * @throws RequestRefused when the form comes from another site, is too large, or has no valid CSRF token.
 */
export async function receiveForm(
  { cookies, trustedHosts }: WebContext,
  { request, session }: WebRequest,
): Promise<URLSearchParams> {
  checkOrigin(request, trustedHosts);
  const fields = await readForm(request);
  const expected = session?.csrfToken ?? cookies.readVisitor(request);
  if (expected === undefined || !isEqual(fields.get("csrf") ?? "", expected)) {
    throw new RequestRefused(403, "This form is out of date. Go back, reload the page and try again.");
  }
  return fields;
}

/**
 * Returns the CSRF token for forms of anonymous visitors with its cookie. An existing token is reused, so that forms in
 * several tabs work.
 */
export function visitorToken(
  { cookies }: WebContext,
  request: IncomingMessage,
): { token: string; cookie: string } {
  const token = cookies.readVisitor(request) ?? newToken();
  return { token, cookie: cookies.visitor(token) };
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
