import { renameAccount } from "../access/workspaces/members.js";
import { readAccountOfReset } from "../access/accounts/password-changes.js";
import { createVisitorFormResponse, handleAccountForm, handleVisitorForm } from "./form.js";
import { type AccountForm, renderAccountPage } from "./pages/account.js";
import { findNotice, withNotice } from "./notices.js";
import type { FormError } from "./pages/form-elements.js";
import { renderMessagePage } from "./pages/message.js";
import { renderResetPage } from "./pages/sign-in.js";
import { loadLayoutData, redirectWithSession, type SignedInRequest, type WebRequest } from "./request.js";
import { createHtmlResponse, createRedirect, type WebResponse } from "./response.js";
import { START_PATH, type RouteHandlers } from "./routes.js";

const ACCOUNT_PATH = "/settings/account";

/** Handlers of the account page and of reset links. */
export const accountHandlers = {
  showAccount: (request) => showAccountPage(request, { notice: findNotice(request.query) }),

  rename: handleAccountForm(
    async ({ context, session }, getField) => {
      await renameAccount(context.store, session, getField("name").trim());
      return createRedirect(withNotice(ACCOUNT_PATH, "name-changed"));
    },
    (request, error, getField) => showAccountPage(request, { error, name: getField("name") }),
  ),

  changePassword: handleAccountForm(
    async (request, getField) => {
      const { context, session, address } = request;
      const passwords = { current: getField("current-password"), new: getField("password") };
      const tokens = await context.accounts.changePassword(session, passwords, address);
      return redirectWithSession(request, tokens, withNotice(ACCOUNT_PATH, "password-changed"));
    },
    (request, error) => showAccountPage(request, { error }),
  ),

  showPasswordReset: (request) => showResetForm(request),

  resetPassword: handleVisitorForm(async (request, getField) => {
    const { context, address, param } = request;
    const tokens = await context.accounts.resetPassword(param, getField("password"), address);
    return tokens === undefined
      ? createRedirect(withNotice("/sign-in", "password-reset"))
      : redirectWithSession(request, tokens, START_PATH);
  }, showResetForm),
} satisfies Partial<RouteHandlers>;

async function showAccountPage(request: SignedInRequest, form: AccountForm): Promise<WebResponse> {
  const page = renderAccountPage(await loadLayoutData(request), form);
  return createHtmlResponse(page, form.error?.status);
}

async function showResetForm(request: WebRequest, error?: FormError): Promise<WebResponse> {
  const { context, address, param } = request;
  const passwordReset = await context.queueLookup(address, () => readAccountOfReset(context.store, param));
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
