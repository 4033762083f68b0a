import { readPasswordReset } from "../access/password-changes.js";
import type { Html } from "./html.js";
import { renderAccountPage } from "./pages/account.js";
import type { Notice } from "./pages/elements.js";
import type { FormError } from "./pages/form-elements.js";
import { renderMessagePage } from "./pages/message.js";
import { renderResetPage } from "./pages/sign-in.js";
import {
  createVisitorFormResponse,
  loadPageContext,
  receiveForm,
  redirectWithSession,
  type SignedInRequest,
  type WebContext,
  type WebRequest,
} from "./request.js";
import { createHtmlResponse, type WebResponse } from "./response.js";
import { START_PATH, type RouteHandlers } from "./routes.js";
import { toFormError } from "./form.js";

const ACCOUNT_PATH = "/settings/account";
/** Query parameter of the account page after a change of the password. */
const CHANGED_PARAMETER = "changed";

/** Creates the handlers of the account page and of reset links. */
export function createAccountRoutes(context: WebContext) {
  const { store, accounts, readClientAddress } = context;

  /** Shows the account page, with a notice or with the error of its password form. */
  async function showAccountPage(
    request: SignedInRequest,
    feedback: { notice?: Notice | undefined; error?: FormError },
  ): Promise<WebResponse> {
    const pageContext = await loadPageContext(context, request);
    return createHtmlResponse(renderAccountPage(pageContext, feedback), feedback.error?.status);
  }

  /** Shows the form of a reset link, or a page that says that the link is no longer valid. */
  async function showResetForm(request: WebRequest, error?: FormError): Promise<WebResponse> {
    const resetToken = request.param;
    const passwordReset = await readPasswordReset(store, resetToken);
    if (passwordReset === undefined) {
      const text = "The link was used or has expired, or a newer one was created. Ask for a new link.";
      return createHtmlResponse(renderMessagePage("This link is no longer valid", text), 404);
    }
    const render = (csrfToken: string): Html =>
      renderResetPage(csrfToken, passwordReset.email, resetToken, error);
    return createVisitorFormResponse(context, request, render, error);
  }

  return {
    showAccount(request) {
      const text = "Password changed. Your other sessions have ended.";
      return showAccountPage(
        request,
        request.query.has(CHANGED_PARAMETER) ? { notice: { kind: "good", text } } : {},
      );
    },

    async changePassword(request) {
      const getField = await receiveForm(context, request);
      const passwords = {
        current: getField("current-password"),
        new: getField("password"),
      };
      try {
        const sessionTokens = await accounts.changePassword(request.session, passwords);
        return await redirectWithSession(
          context,
          request,
          sessionTokens,
          `${ACCOUNT_PATH}?${CHANGED_PARAMETER}`,
        );
      } catch (cause) {
        return showAccountPage(request, { error: toFormError(cause) });
      }
    },

    showPasswordReset: (request) => showResetForm(request),

    async resetPassword(request) {
      const getField = await receiveForm(context, request);
      try {
        const sessionTokens = await accounts.resetPassword(
          request.param,
          getField("password"),
          readClientAddress(request.httpRequest),
        );
        return await redirectWithSession(context, request, sessionTokens, START_PATH);
      } catch (cause) {
        return showResetForm(request, toFormError(cause));
      }
    },
  } satisfies Partial<RouteHandlers>;
}
