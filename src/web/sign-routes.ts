import { acceptInvitation, readInvitation, signIn, signUp } from "../access/accounts.js";
import { ProvisionError } from "../access/checks.js";
import { endSession, switchWorkspace } from "../access/sessions.js";
import { hasAccounts, listMemberships } from "../storage/accounts.js";
import { listWorkspaces } from "../storage/workspaces.js";
import { type Answer, page, redirect, withCookies } from "./answer.js";
import { FormRefused } from "./form.js";
import { joinPage } from "./pages/members.js";
import { messagePage } from "./pages/message.js";
import { type SignForm, signInPage, signUpPage } from "./pages/sign.js";
import type { Throttle } from "./throttle.js";
import {
  enter,
  receiveForm,
  type SignedIn,
  viewerOf,
  type Visit,
  visitorToken,
  type WebContext,
} from "./visit.js";

/** The pages to sign in, up and out, and to join a workspace. */
export interface SignRoutes {
  showSignIn(visit: Visit): Promise<Answer>;
  signIn(visit: Visit): Promise<Answer>;
  showSignUp(visit: Visit): Promise<Answer>;
  signUp(visit: Visit): Promise<Answer>;
  signOut(visit: Visit): Promise<Answer>;
  showJoin(visit: Visit, token: string): Promise<Answer>;
  join(visit: SignedIn, token: string): Promise<Answer>;
  switchWorkspace(visit: SignedIn): Promise<Answer>;
}

const HOME = "/settings/api";
/** The same for an account that there is not, and for a wrong password. */
const WRONG = "The e-mail address or the password is not right.";

/** Makes the pages to sign in, up and out. */
export function createSignRoutes(context: WebContext, throttle: Throttle): SignRoutes {
  const { store, cookies, addressOf } = context;

  async function invitationOf(token: string) {
    return token === "" ? undefined : await readInvitation(store, token);
  }

  async function signUpForm(
    visit: Visit,
    form: Omit<SignForm, "token">,
    invitationToken: string,
    status: number,
  ): Promise<Answer> {
    const { token, cookie } = visitorToken(context, visit.request);
    const invitation = await invitationOf(invitationToken);
    const [oldest] = (await hasAccounts(store.read)) ? [] : await listWorkspaces(store.read);
    const place = { invitation, invitationToken, first: oldest?.name };
    return withCookies(page(signUpPage({ ...form, token }, place), status), cookie);
  }

  function signInForm(visit: Visit, form: Omit<SignForm, "token">, status: number): Answer {
    const { token, cookie } = visitorToken(context, visit.request);
    return withCookies(page(signInPage({ ...form, token }), status), cookie);
  }

  return {
    async showSignIn(visit) {
      const next = placeAfter(visit.query.get("next"));
      if (visit.session) return redirect(next);
      // The first visitor of all has nothing to sign in with.
      if (!(await hasAccounts(store.read))) return redirect(`/sign-up?next=${encodeURIComponent(next)}`);
      return signInForm(visit, { next }, 200);
    },

    async signIn(visit) {
      const fields = await receiveForm(context, visit);
      const [email, next] = [fields.get("email") ?? "", placeAfter(fields.get("next"))];
      const again = (text: string, status: number): Answer =>
        signInForm(visit, { email, next, notice: { kind: "bad", text } }, status);
      try {
        await throttle.signIn(email, addressOf(visit.request));
      } catch (error) {
        if (error instanceof FormRefused) return again(error.message, error.status);
        throw error;
      }
      const token = await signIn(store, email, fields.get("password") ?? "");
      return token === undefined ? again(WRONG, 400) : enter(context, visit, token, next);
    },

    async showSignUp(visit) {
      const next = placeAfter(visit.query.get("next"));
      if (visit.session) return redirect(next);
      const [, invitation = ""] = /^\/join\/(.+)$/.exec(next) ?? [];
      return signUpForm(visit, { next }, invitation, 200);
    },

    async signUp(visit) {
      const fields = await receiveForm(context, visit);
      const field = (name: string): string => fields.get(name) ?? "";
      const [name, email, invitation] = [field("name"), field("email"), field("invitation")];
      const next = placeAfter(fields.get("next"));
      try {
        await throttle.signUp(addressOf(visit.request));
        const token = await signUp(store, { name, email, password: field("password"), invitation });
        return await enter(context, visit, token, next.startsWith("/join/") ? HOME : next);
      } catch (error) {
        if (!(error instanceof ProvisionError) && !(error instanceof FormRefused)) throw error;
        const status = error instanceof FormRefused ? error.status : 400;
        const notice = { kind: "bad" as const, text: error.message };
        return signUpForm(visit, { name, email, next, notice }, invitation, status);
      }
    },

    async signOut(visit) {
      await receiveForm(context, visit);
      const token = cookies.readSession(visit.request);
      if (token !== undefined) await endSession(store, token);
      return withCookies(redirect("/"), cookies.endSession());
    },

    async showJoin(visit, token) {
      const invitation = await invitationOf(token);
      if (invitation === undefined) {
        const text = "It was used, withdrawn, or is over. Ask for a new link.";
        return page(messagePage("This invitation is not valid", text), 404);
      }
      const { session } = visit;
      if (session === undefined) return redirect(`/sign-up?next=${encodeURIComponent(`/join/${token}`)}`);
      return page(joinPage(await viewerOf(context, { ...visit, session }), invitation, token));
    },

    async join(visit, token) {
      await receiveForm(context, visit);
      const { session } = visit;
      const account = { id: session.accountId, name: session.accountName, email: session.email };
      const workspaceId = await store.write((tx) => acceptInvitation(tx, account, token));
      await switchWorkspace(store, session, workspaceId);
      return redirect(HOME);
    },

    async switchWorkspace(visit) {
      const fields = await receiveForm(context, visit);
      const memberships = await listMemberships(store.read, visit.session.accountId);
      const chosen = memberships.find(({ workspaceId }) => workspaceId === fields.get("workspace"));
      if (chosen !== undefined) await switchWorkspace(store, visit.session, chosen.workspaceId);
      return redirect(HOME);
    },
  };
}

/** Where to go after signing in: a page of ours, never an address from outside. */
function placeAfter(next: string | null): string {
  return next !== null && /^\/(settings\/(api|members|account)|join\/[\w-]{43})$/.test(next) ? next : HOME;
}
