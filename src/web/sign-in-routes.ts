import { readInvitation } from "../access/invitations.js";
import { isMember, joinWorkspace } from "../access/members.js";
import { endSession, switchWorkspace } from "../access/sessions.js";
import { NO_INVITATION } from "../access/sign-in.js";
import type { Html } from "./html.js";
import { renderJoinPage } from "./pages/members.js";
import { renderMessagePage } from "./pages/message.js";
import { type SignForm, renderSignInPage, renderSignUpPage } from "./pages/sign-in.js";
import {
  createVisitorFormResponse,
  loadPageContext,
  receiveForm,
  redirectWithSession,
  type WebContext,
  type WebRequest,
} from "./request.js";
import { createHtmlResponse, createRedirect, type WebResponse, addCookies } from "./response.js";
import { START_PATH, type RouteHandlers } from "./routes.js";
import { toFormError } from "./form.js";

/** Paths that people continue with after signing in. A query string has only characters that a header can contain. */
const PATH_TO_CONTINUE =
  /^\/(settings\/(api|members|account)|search|trash|[\da-f]{32}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|join\/[\w-]{43})?(\?[!-~]*)?$/;
/** Message for a failed sign-in. The same for both reasons, so that it does not reveal accounts. */
const WRONG_CREDENTIALS = "The e-mail address or the password is wrong.";
/** Message for people whose session had ended when they sent a form. */
const SESSION_ENDED = "Your session has ended, and nothing was changed. Sign in and try again.";
/** Message after a sign-up. The same whether or not the address had an account, so that it does not reveal accounts. */
const REGISTERED =
  "Your account is ready. Sign in to continue. If you already had an account with this address, its password has not changed.";

/** Creates the routes to sign in, to create an account, and to join a workspace. */
export function createSignInRoutes(context: WebContext) {
  const { store, accounts, cookies, readClientAddress } = context;
  const { registration } = accounts;

  function showSignInForm(request: WebRequest, form: Omit<SignForm, "csrfToken">): WebResponse {
    const render = (csrfToken: string): Html => renderSignInPage({ ...form, csrfToken }, registration);
    return createVisitorFormResponse(context, request, render, form.error);
  }

  async function showSignUpForm(
    request: WebRequest,
    form: Omit<SignForm, "csrfToken">,
    invitationToken: string,
  ): Promise<WebResponse> {
    const invitation =
      invitationToken === NO_INVITATION ? undefined : await readInvitation(store, invitationToken);
    if (registration !== "open" && invitation === undefined) {
      const text =
        "You need an invitation link to create an account. Ask an owner of a workspace for one. If you run this " +
        "service, use the setup link that it printed, or create one with the command page-service users invite.";
      return createHtmlResponse(renderMessagePage("Registration is by invitation", text), 403);
    }
    const render = (csrfToken: string): Html =>
      renderSignUpPage({ ...form, csrfToken }, invitation, invitationToken);
    return createVisitorFormResponse(context, request, render, form.error);
  }

  return {
    async showSignIn(request) {
      const nextPath = toSafePath(request.query.get("next"));
      if (request.session) return createRedirect(nextPath);
      const notice = request.query.has("registered")
        ? { kind: "good" as const, text: REGISTERED }
        : request.query.has("ended")
          ? { kind: "bad" as const, text: SESSION_ENDED }
          : undefined;
      return showSignInForm(request, { nextPath, notice });
    },

    async signIn(request) {
      const getField = await receiveForm(context, request);
      const email = getField("email");
      const nextPath = toSafePath(getField("next"));
      try {
        const sessionTokens = await accounts.signIn({
          email,
          password: getField("password"),
          invitation: parseInvitationPath(nextPath),
          address: readClientAddress(request.httpRequest),
          deviceToken: cookies.readDevice(request.httpRequest),
        });
        if (sessionTokens !== undefined)
          return await redirectWithSession(context, request, sessionTokens, nextPath);
        const error = { field: undefined, message: WRONG_CREDENTIALS, status: 400 } as const;
        return showSignInForm(request, { email, nextPath, error });
      } catch (cause) {
        return showSignInForm(request, { email, nextPath, error: toFormError(cause) });
      }
    },

    async showSignUp(request) {
      const nextPath = toSafePath(request.query.get("next"));
      if (request.session) return createRedirect(nextPath);
      return showSignUpForm(request, { nextPath }, parseInvitationPath(nextPath));
    },

    async signUp(request) {
      const getField = await receiveForm(context, request);
      const [name, email, invitation] = [getField("name"), getField("email"), getField("invitation")];
      const nextPath = toSafePath(getField("next"));
      try {
        const form = { name, email, password: getField("password"), invitation };
        const sessionTokens = await accounts.signUp(form, readClientAddress(request.httpRequest));
        if (sessionTokens !== undefined)
          return await redirectWithSession(context, request, sessionTokens, nextPath);
        return createRedirect(`/sign-in?registered&next=${encodeURIComponent(nextPath)}`);
      } catch (cause) {
        return showSignUpForm(request, { name, email, nextPath, error: toFormError(cause) }, invitation);
      }
    },

    async signOut(request) {
      await receiveForm(context, request);
      const token = cookies.readSession(request.httpRequest);
      if (token !== undefined) await endSession(store, token);
      return addCookies(createRedirect(START_PATH), cookies.formatExpiredSession());
    },

    async showJoin(request) {
      const { session, param } = request;
      const invitation = await readInvitation(store, param);
      if (invitation === undefined) {
        // People who have just joined by signing up or in are also redirected here.
        if (session !== undefined) return createRedirect(START_PATH);
        const text = "The link was used or withdrawn, or has expired. Ask for a new link.";
        return createHtmlResponse(renderMessagePage("This invitation is no longer valid", text), 404);
      }
      if (session === undefined)
        return createRedirect(`/sign-up?next=${encodeURIComponent(`/join/${param}`)}`);
      const pageContext = await loadPageContext(context, { ...request, session });
      return createHtmlResponse(renderJoinPage(pageContext, invitation, param));
    },

    async join(request) {
      await receiveForm(context, request);
      await joinWorkspace(store, request.session, request.param);
      return createRedirect(START_PATH);
    },

    async switchWorkspace(request) {
      const getField = await receiveForm(context, request);
      const workspaceId = getField("workspace");
      if (await isMember(store, workspaceId, request.session.accountId)) {
        await switchWorkspace(store, request.session, workspaceId);
      }
      return createRedirect(START_PATH);
    },
  } satisfies Partial<RouteHandlers>;
}

/** Returns the path to continue with: a page of this site, never of another one. */
function toSafePath(path: string | null): string {
  return path !== null && PATH_TO_CONTINUE.test(path) ? path : START_PATH;
}

/** Returns the invitation token of a path to join a workspace, and NO_INVITATION for other paths. */
function parseInvitationPath(path: string): string {
  return /^\/join\/([^?]+)/.exec(path)?.[1] ?? NO_INVITATION;
}
