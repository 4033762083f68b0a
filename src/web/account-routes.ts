import { readPasswordReset } from "../access/password-changes.js";
import { toFormError } from "./form-error.js";
import { accountPage } from "./pages/account.js";
import type { FormError, Notice } from "./pages/layout.js";
import { messagePage } from "./pages/message.js";
import { resetPage } from "./pages/sign.js";
import {
  loadPageContext,
  receiveForm,
  redirectWithSession,
  type SignedInRequest,
  visitorToken,
  type WebContext,
  type WebRequest,
} from "./request.js";
import { htmlResponse, type WebResponse, withCookies } from "./response.js";

/** Routes of account settings and reset links. */
export interface AccountRoutes {
  showAccount(request: SignedInRequest): Promise<WebResponse>;
  changePassword(request: SignedInRequest): Promise<WebResponse>;
  showReset(request: WebRequest): Promise<WebResponse>;
  reset(request: WebRequest): Promise<WebResponse>;
}

const PATH = "/settings/account";

/** Creates the routes of `/settings/account` and `/reset/:token`. */
export function createAccountRoutes(context: WebContext): AccountRoutes {
  const { store, accounts, cookies, addressOf } = context;

  async function show(
    request: SignedInRequest,
    message: { notice?: Notice | undefined; error?: FormError },
    status = 200,
  ): Promise<WebResponse> {
    return htmlResponse(accountPage(await loadPageContext(context, request), message), status);
  }

  async function showResetForm(request: WebRequest, error?: FormError, status = 200): Promise<WebResponse> {
    const link = request.param;
    const reset = await readPasswordReset(store, link);
    if (reset === undefined) {
      const text = "The link was used or has expired, or a newer one was created. Ask for a new link.";
      return htmlResponse(messagePage("This link is no longer valid", text), 404);
    }
    const { token, cookie } = request.session
      ? { token: request.session.csrfToken, cookie: undefined }
      : visitorToken(context, request.request);
    const response = htmlResponse(resetPage(token, reset.email, link, error), status);
    return cookie === undefined ? response : withCookies(response, cookie);
  }

  return {
    showAccount(request) {
      const text = "Password changed. Your other sessions have ended.";
      return show(request, request.query.has("changed") ? { notice: { kind: "good", text } } : {});
    },

    async changePassword(request) {
      const fields = await receiveForm(context, request);
      const passwords = {
        current: fields.get("current-password") ?? "",
        next: fields.get("password") ?? "",
      };
      try {
        const signedIn = await accounts.changePassword(request.session, passwords);
        const device = cookies.device(signedIn.deviceToken);
        return await redirectWithSession(context, request, signedIn.sessionToken, `${PATH}?changed`, device);
      } catch (cause) {
        const { error, status } = toFormError(cause);
        return show(request, { error }, status);
      }
    },

    showReset: (request) => showResetForm(request),

    async reset(request) {
      const fields = await receiveForm(context, request);
      try {
        const signedIn = await accounts.resetPassword(
          request.param,
          fields.get("password") ?? "",
          addressOf(request.request),
        );
        const device = cookies.device(signedIn.deviceToken);
        return await redirectWithSession(context, request, signedIn.sessionToken, "/settings/api", device);
      } catch (cause) {
        const { error, status } = toFormError(cause);
        return showResetForm(request, error, status);
      }
    },
  };
}
