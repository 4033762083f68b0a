import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { ClientAddress } from "../access/client-address.js";
import { endSession, newToken, readSession } from "../access/sessions.js";
import { listMemberships } from "../storage/accounts.js";
import type { StoredSession } from "../storage/sessions.js";
import type { Store } from "../storage/store.js";
import { type Answer, redirect, withCookies } from "./answer.js";
import type { Cookies } from "./cookies.js";
import { checkOrigin, FormRefused, readForm } from "./form.js";
import type { Viewer } from "./pages/layout.js";

/** One request of a browser, and who sent it. */
export interface Visit {
  readonly request: IncomingMessage;
  readonly query: URLSearchParams;
  /** Undefined when nobody is signed in. */
  readonly session: StoredSession | undefined;
}

/** Somebody who is signed in. */
export type SignedIn = Visit & { readonly session: StoredSession };

/** What all pages are made with. */
export interface WebContext {
  readonly store: Store;
  readonly cookies: Cookies;
  readonly appUrl: string;
  readonly addressOf: ClientAddress;
}

/** Finds out who sent a request. */
export async function readVisit({ store, cookies }: WebContext, request: IncomingMessage): Promise<Visit> {
  const url = request.url ?? "";
  const mark = url.indexOf("?");
  const token = cookies.readSession(request);
  return {
    request,
    query: new URLSearchParams(mark === -1 ? "" : url.slice(mark + 1)),
    session: token === undefined ? undefined : await readSession(store, token),
  };
}

/** Who looks at a page, with the workspaces to choose from. */
export async function viewerOf<V extends Visit>(
  { store }: WebContext,
  { session }: V,
): Promise<Viewer & { session: V["session"] }> {
  const memberships = session ? await listMemberships(store.read, session.accountId) : [];
  return { session, memberships };
}

/** Leads on with a new session; that of before ends. */
export async function enter(
  { store, cookies }: WebContext,
  { request }: Visit,
  token: string,
  path: string,
): Promise<Answer> {
  const before = cookies.readSession(request);
  if (before !== undefined) await endSession(store, before);
  return withCookies(redirect(path), cookies.session(token));
}

/**
 * Reads a form that one of our pages sent.
 *
 * @returns Its fields.
 * @throws FormRefused when it comes from elsewhere or is not whole.
 */
export async function receiveForm(
  { cookies, appUrl }: WebContext,
  { request, session }: Visit,
): Promise<URLSearchParams> {
  checkOrigin(request, appUrl);
  const fields = await readForm(request);
  const expected = session?.csrfToken ?? cookies.readVisitor(request);
  if (expected === undefined || !isSame(fields.get("csrf") ?? "", expected)) {
    throw new FormRefused(403, "This form is out of date. Go back, reload the page and try again.");
  }
  return fields;
}

/**
 * The token for the forms of somebody who is not signed in yet, and the cookie that it is held against. The same one as
 * long as there is one, so that forms in several tabs work.
 */
export function visitorToken(
  { cookies }: WebContext,
  request: IncomingMessage,
): { token: string; cookie: string } {
  const token = cookies.readVisitor(request) ?? newToken();
  return { token, cookie: cookies.visitor(token) };
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
