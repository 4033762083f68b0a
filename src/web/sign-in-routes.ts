import { readInvitation } from "../access/workspaces/invitations.js";
import { isMember, joinWorkspace } from "../access/workspaces/members.js";
import { parseId } from "../domain/ids.js";
import { endSession, type SessionTokens, switchWorkspace } from "../access/accounts/sessions.js";
import { createVisitorFormResponse, type GetField, handleAccountForm, handleVisitorForm } from "./form.js";
import { findNotice } from "./notices.js";
import type { Notice } from "./pages/elements.js";
import { renderJoinPage } from "./pages/members.js";
import { renderMessagePage } from "./pages/message.js";
import {
  explainRegistration,
  renderSignInPage,
  renderSignUpPage,
  type CredentialsForm,
} from "./pages/sign-in.js";
import { loadLayoutData, redirectWithSession, type WebRequest } from "./request.js";
import { addHeader, createHtmlResponse, createRedirect, type WebResponse } from "./response.js";
import { type Route, type RouteHandlers, ROUTES, START_PATH, toPathPattern } from "./routes.js";

/** Pages that people continue with after signing in: all pages that need a session, and two that show more with one. */
const PAGES_TO_CONTINUE: readonly Route[] = [
  ROUTES.start,
  ROUTES.showJoin,
  ...Object.values(ROUTES).filter(({ method, audience }) => method === "GET" && audience !== "anyone"),
];
/** Paths of PAGES_TO_CONTINUE. A query string has only characters that a header can contain. */
const PATH_TO_CONTINUE = new RegExp(`^(?:${PAGES_TO_CONTINUE.map(toPathPattern).join("|")})(?:\\?[!-~]*)?$`);
/** Error of a failed sign-in. The same for both reasons, so that it does not reveal accounts. */
const WRONG_CREDENTIALS = { message: "The e-mail address or the password is wrong.", status: 400 } as const;
/** Notice after a sign-up. The same whether or not the address had an account, so that it does not reveal accounts. */
const REGISTERED: Notice = {
  kind: "good",
  text: "Your account is ready. Sign in to continue. If you already had an account with this address, its password has not changed.",
};

/** Handlers that sign in, create an account, join a workspace or switch to another one. */
export const signInHandlers = {
  async showSignIn(request) {
    const { query, session } = request;
    const nextPath = toSafePath(query.get("next"));
    if (session) return createRedirect(nextPath);
    return showSignInForm(request, { nextPath, notice: findNotice(query) });
  },

  signIn: handleVisitorForm(
    async (request, getField) => {
      const { context, httpRequest, address } = request;
      const entries = readEntries(getField);
      const tokens = await context.accounts.signIn({
        email: entries.email,
        password: getField("password"),
        invitationToken: parseInvitationPath(entries.nextPath),
        address,
        deviceToken: context.cookies.readDevice(httpRequest),
      });
      return tokens === undefined
        ? showSignInForm(request, { ...entries, error: WRONG_CREDENTIALS })
        : continueWithSession(request, tokens, entries.nextPath);
    },
    (request, error, getField) => {
      const form = { ...readEntries(getField), error };
      // A retry with an invalid invitation would fail again, so the next one is without it.
      const isRefused = error.status === 400 && error.fields === undefined;
      return showSignInForm(request, isRefused ? { ...form, nextPath: START_PATH } : form);
    },
  ),

  async showSignUp(request) {
    const nextPath = toSafePath(request.query.get("next"));
    if (request.session) return createRedirect(nextPath);
    return showSignUpForm(request, { nextPath }, parseInvitationPath(nextPath));
  },

  signUp: handleVisitorForm(
    async (request, getField) => {
      const { context, address } = request;
      const entries = readEntries(getField);
      const form = {
        ...entries,
        password: getField("password"),
        invitationToken: readInvitationToken(getField),
      };
      const tokens = await context.accounts.signUp(form, address);
      return tokens === undefined
        ? showSignInForm(request, { ...entries, notice: REGISTERED })
        : continueWithSession(request, tokens, entries.nextPath);
    },
    (request, error, getField) =>
      showSignUpForm(request, { ...readEntries(getField), error }, readInvitationToken(getField)),
  ),

  async signOut(request) {
    const { session } = request;
    // A session that has ended has no CSRF token. Another site could send such a form too, so the cookie is kept.
    return session === undefined ? createRedirect(START_PATH) : signOut({ ...request, session });
  },

  async showJoin(request) {
    const { context, session, address, param } = request;
    const invitation = await context.queueLookup(address, () => readInvitation(context.store, param));
    if (invitation === undefined) {
      const [remedy, link] =
        session === undefined
          ? ["Sign in if you have joined already", { path: "/sign-in?next=/", text: "Sign in" }]
          : ["Go to the start page if you have joined already"];
      const text = `The link was used or withdrawn, or has expired. ${remedy}, or ask for a new link.`;
      const layoutData = session && (await loadLayoutData({ ...request, session }));
      const page = renderMessagePage("This invitation is no longer valid", text, layoutData, link);
      return createHtmlResponse(page, 404);
    }
    if (session === undefined) {
      const path = (await context.accounts.acceptsInvitations()) ? "/sign-up" : "/sign-in";
      return createRedirect(`${path}?next=${encodeURIComponent(`/join/${param}`)}`);
    }
    const layoutData = await loadLayoutData({ ...request, session });
    const { workspaceId, workspaceName } = invitation;
    const membership = layoutData.memberships.find((each) => each.workspaceId === workspaceId);
    if (membership?.role === "owner" || membership?.role === invitation.role) {
      const text = `Your role in ${workspaceName} is ${membership.role}. The link still works for another person.`;
      return createHtmlResponse(renderMessagePage("You are in this workspace already", text, layoutData));
    }
    return createHtmlResponse(renderJoinPage(layoutData, invitation, param));
  },

  join: handleAccountForm(async ({ context, session, param }) => {
    await joinWorkspace(context.store, session, param);
    return createRedirect(START_PATH);
  }),

  switchWorkspace: handleAccountForm(async ({ context, session }, getField) => {
    const workspaceId = parseId(getField("workspace"));
    if (workspaceId !== undefined && (await isMember(context.store, workspaceId, session.accountId))) {
      await switchWorkspace(context.store, session, workspaceId);
    }
    return createRedirect(toSafePath(getField("next")));
  }),
} satisfies Partial<RouteHandlers>;

const signOut = handleAccountForm(async ({ context: { store, cookies }, httpRequest }) => {
  const token = cookies.readSession(httpRequest);
  if (token !== undefined) await endSession(store, token);
  return addHeader(createRedirect(START_PATH), "Set-Cookie", cookies.formatExpiredSession());
});

/** Continues after signing in. Skips the page of an invitation that signing in has accepted. */
async function continueWithSession(
  request: WebRequest,
  tokens: SessionTokens,
  nextPath: string,
): Promise<WebResponse> {
  const token = parseInvitationPath(nextPath);
  const isUsed = token !== undefined && (await readInvitation(request.context.store, token)) === undefined;
  return redirectWithSession(request, tokens, isUsed ? START_PATH : nextPath);
}

/** Reads the entries that the forms to sign in and to create an account keep. */
function readEntries(getField: GetField): Required<Omit<CredentialsForm, "notice" | "error">> {
  return { name: getField("name"), email: getField("email"), nextPath: toSafePath(getField("next")) };
}

function readInvitationToken(getField: GetField): string | undefined {
  return getField("invitation") || undefined;
}

async function showSignInForm(request: WebRequest, form: CredentialsForm): Promise<WebResponse> {
  const { accounts } = request.context;
  const { registration } = accounts;
  const hasAccounts = await accounts.hasAccounts();
  return createVisitorFormResponse(
    request,
    (csrfToken) => renderSignInPage(form, csrfToken, { registration, hasAccounts }),
    form.error,
  );
}

async function showSignUpForm(
  request: WebRequest,
  form: CredentialsForm,
  invitationToken: string | undefined,
): Promise<WebResponse> {
  const { store, accounts, queueLookup } = request.context;
  const invitation =
    invitationToken === undefined
      ? undefined
      : await queueLookup(request.address, () => readInvitation(store, invitationToken));
  const isInvited = invitation !== undefined && (await accounts.acceptsInvitations());
  if (accounts.registration !== "open" && !isInvited) {
    const title =
      accounts.registration === "invite" ? "Registration is by invitation" : "Registration is closed";
    const page = renderMessagePage(
      title,
      explainRegistration(accounts.registration, await accounts.hasAccounts()),
    );
    return createHtmlResponse(page, 403);
  }
  // Signing in with an invalid invitation would fail.
  const nextPath = isInvited || parseInvitationPath(form.nextPath) === undefined ? form.nextPath : START_PATH;
  return createVisitorFormResponse(
    request,
    (csrfToken) => renderSignUpPage({ ...form, nextPath }, csrfToken, invitation, invitationToken),
    form.error,
  );
}

/** Returns the path to continue with: a page of this site, never of another one. */
function toSafePath(path: string | null): string {
  return path !== null && PATH_TO_CONTINUE.test(path) ? path : START_PATH;
}

function parseInvitationPath(path: string): string | undefined {
  return /^\/join\/([^?]+)/.exec(path)?.[1];
}
