import { readPersonOfReset } from "../access/password-changes.js";
import { checkCsrfToken, createVisitorFormResponse, readForm, toFormError } from "./form.js";
import { renderAccountPage } from "./pages/account.js";
import { findNotice, withNotice } from "./notices.js";
import type { FormError, FormResult } from "./pages/form-elements.js";
import { renderMessagePage } from "./pages/message.js";
import { renderResetPage } from "./pages/sign-in.js";
import {
  loadLayoutData,
  lookUp,
  redirectWithSession,
  type SignedInRequest,
  type WebRequest,
} from "./request.js";
import { createHtmlResponse, createRedirect, type WebResponse } from "./response.js";
import { START_PATH, type RouteHandlers } from "./routes.js";

/** Handlers of the account page and of reset links. */
export const accountHandlers = {
  showAccount: (request) => showAccountPage(request, { notice: findNotice(request.query) }),

  async changePassword(request) {
    const getField = await readForm(request);
    const passwords = { current: getField("current-password"), new: getField("password") };
    try {
      checkCsrfToken(request, getField);
      const tokens = await request.context.accounts.changePassword(request.session, passwords);
      return await redirectWithSession(request, tokens, withNotice("/settings/account", "password-changed"));
    } catch (error) {
      return showAccountPage(request, { error: toFormError(error) });
    }
  },

  showPasswordReset: (request) => showResetForm(request),

  async resetPassword(request) {
    const { context, httpRequest, param } = request;
    const getField = await readForm(request);
    const address = context.readClientAddress(httpRequest);
    try {
      checkCsrfToken(request, getField);
      const tokens = await context.accounts.resetPassword(param, getField("password"), address);
      return tokens === undefined
        ? createRedirect(withNotice("/sign-in", "password-reset"))
        : await redirectWithSession(request, tokens, START_PATH);
    } catch (error) {
      return showResetForm(request, toFormError(error));
    }
  },
} satisfies Partial<RouteHandlers>;

async function showAccountPage(request: SignedInRequest, result: FormResult): Promise<WebResponse> {
  const page = renderAccountPage(await loadLayoutData(request), result);
  return createHtmlResponse(page, result.error?.status);
}

/** Shows the form of a reset link, or a page that says that the link is no longer valid. */
async function showResetForm(request: WebRequest, error?: FormError): Promise<WebResponse> {
  const { context, param } = request;
  const passwordReset = await lookUp(request, () => readPersonOfReset(context.store, param));
  if (passwordReset === undefined) {
    const text = "The link was used or has expired, or a newer one was created. Ask for a new link.";
    return createHtmlResponse(renderMessagePage("This link is no longer valid", text), 404);
  }
  return createVisitorFormResponse(
    request,
    (csrfToken) => renderResetPage(csrfToken, passwordReset.email, param, error),
    error,
  );
}
