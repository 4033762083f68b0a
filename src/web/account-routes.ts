import { ProvisionError } from "../access/checks.js";
import { changePassword, readPasswordReset, resetPassword } from "../access/password-changes.js";
import { type Answer, page, withCookies } from "./answer.js";
import { FormRefused } from "./form.js";
import { accountPage } from "./pages/account.js";
import type { Notice } from "./pages/layout.js";
import { messagePage } from "./pages/message.js";
import { resetPage } from "./pages/sign.js";
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

/** Somebody's own account, and the way back into it. */
export interface AccountRoutes {
  showAccount(visit: SignedIn): Promise<Answer>;
  changePassword(visit: SignedIn): Promise<Answer>;
  showReset(visit: Visit, token: string): Promise<Answer>;
  reset(visit: Visit, token: string): Promise<Answer>;
}

const PATH = "/settings/account";

/** Makes the page `/settings/account`, and those of links for a new password. */
export function createAccountRoutes(context: WebContext, throttle: Throttle): AccountRoutes {
  const { store, addressOf } = context;

  async function show(visit: SignedIn, notice: Notice | undefined, status = 200): Promise<Answer> {
    return page(accountPage(await viewerOf(context, visit), notice), status);
  }

  async function resetForm(visit: Visit, link: string, notice?: Notice, status = 200): Promise<Answer> {
    const reset = await readPasswordReset(store, link);
    if (reset === undefined) {
      const text = "It was used, another one was made since, or it is over. Ask for a new one.";
      return page(messagePage("This link is not valid", text), 404);
    }
    if (visit.session) return page(resetPage(visit.session.csrfToken, reset.email, link, notice), status);
    const { token, cookie } = visitorToken(context, visit.request);
    return withCookies(page(resetPage(token, reset.email, link, notice), status), cookie);
  }

  return {
    showAccount: (visit) => {
      const changed = { kind: "good" as const, text: "The password is changed. Other sessions have ended." };
      return show(visit, visit.query.has("changed") ? changed : undefined);
    },

    async changePassword(visit) {
      const fields = await receiveForm(context, visit);
      const [present, next] = [fields.get("present-password") ?? "", fields.get("password") ?? ""];
      try {
        // With the tries to sign in: together they are the tries at one password.
        await throttle.signIn(visit.session.email, addressOf(visit.request));
        const token = await changePassword(store, visit.session, { present, next });
        return await enter(context, visit, token, `${PATH}?changed`);
      } catch (error) {
        const [notice, status] = refusal(error);
        return show(visit, notice, status);
      }
    },

    showReset: (visit, token) => resetForm(visit, token),

    async reset(visit, link) {
      const fields = await receiveForm(context, visit);
      try {
        await throttle.signUp(addressOf(visit.request));
        const token = await resetPassword(store, link, fields.get("password") ?? "");
        return await enter(context, visit, token, "/settings/api");
      } catch (error) {
        const [notice, status] = refusal(error);
        return resetForm(visit, link, notice, status);
      }
    },
  };
}

/** What to say of a form that was refused; other errors are passed on. */
function refusal(error: unknown): [Notice, number] {
  if (error instanceof FormRefused) return [{ kind: "bad", text: error.message }, error.status];
  if (error instanceof ProvisionError) return [{ kind: "bad", text: error.message }, 400];
  throw error;
}
