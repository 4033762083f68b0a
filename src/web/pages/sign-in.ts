import { MAX_EMAIL_LENGTH } from "../../access/checks.js";
import type { Invitation } from "../../access/workspaces/invitations.js";
import type { Registration } from "../../access/accounts/sign-in.js";
import { html, type Html, type HtmlValue } from "../html.js";
import {
  type FormError,
  type FormResult,
  renderFormResult,
  renderInputField,
  renderNameField,
  renderPostForm,
  renderPasswordField,
  renderUsernameField,
} from "./form-elements.js";
import { renderCardPage } from "./layout.js";

/** Entered values and result of a form to sign in or to create an account. */
export interface CredentialsForm extends FormResult {
  readonly name?: string;
  readonly email?: string;
  readonly nextPath: string;
}

/** Explanations for people without an account, by the registration of a service that needs an invitation. */
const REGISTRATION_TEXTS = {
  invite: "Ask an owner of a workspace for an invitation link.",
  closed: "This service accepts no new accounts.",
} as const;

/** Explains to people without an account how they get one. The first account is created with the setup link. */
export function explainRegistration(
  registration: keyof typeof REGISTRATION_TEXTS,
  hasAccounts: boolean,
): string {
  return hasAccounts
    ? REGISTRATION_TEXTS[registration]
    : "This service has no accounts yet. If you run it, open the setup link that it printed.";
}

/** Renders the form to sign in. If `registration` is open, accounts can be created without an invitation. */
export function renderSignInPage(
  form: CredentialsForm,
  csrfToken: string,
  { registration, hasAccounts }: { registration: Registration; hasAccounts: boolean },
): Html {
  const { error, email = "", nextPath } = form;
  const isInvited = nextPath.startsWith("/join/");
  const fields = html`<input type="hidden" name="next" value="${nextPath}" />
    ${renderEmailField(email, error)}
    ${renderPasswordField("password", "current-password", "Password", error)}
    <button class="wide">Sign in</button>`;
  return renderCardPage(
    "Sign in",
    html`<p class="muted">
        ${isInvited ? "Sign in to accept your invitation." : "Read your pages and manage your API keys."}
      </p>
      ${renderPostForm("/sign-in", csrfToken, fields)}
      <p class="aside">Forgot your password? The operator of this service can create a link for a new one.</p>
      ${
        // Good notices are for people who have an account.
        form.notice?.kind !== "good" &&
        html`<p class="aside">
          New here?
          ${
            registration === "open" || (isInvited && registration === "invite")
              ? html`<a href="/sign-up?next=${encodeURIComponent(nextPath)}">Create an account</a>`
              : explainRegistration(registration, hasAccounts)
          }
        </p>`
      }`,
    { notice: renderFormResult(form) },
  );
}

/** Renders the form to create an account, with an invitation or with a new workspace. */
export function renderSignUpPage(
  { error, name = "", email = "", nextPath }: CredentialsForm,
  csrfToken: string,
  invitation: Invitation | undefined,
  invitationToken: string | undefined,
): Html {
  const lead: HtmlValue = invitation
    ? html`You are invited to the workspace <strong>${invitation.workspaceName}</strong> as
        ${invitation.role}.`
    : "You get a workspace of your own, on the free plan.";
  const fields = html`<input type="hidden" name="next" value="${nextPath}" />
    <input type="hidden" name="invitation" value="${invitation && invitationToken}" />
    ${renderNameField(name, error)} ${renderEmailField(email, error)}
    ${renderPasswordField("password", "new-password", "Password", error)}
    <button class="wide">Create account</button>`;
  return renderCardPage(
    "Create an account",
    html`<p class="muted">${lead}</p>
      ${renderPostForm("/sign-up", csrfToken, fields)}
      <p class="aside">
        Already have an account? <a href="/sign-in?next=${encodeURIComponent(nextPath)}">Sign in</a>
      </p>`,
    { notice: renderFormResult({ error }) },
  );
}

/** Renders the form of a reset link. */
export function renderResetPage(
  csrfToken: string,
  email: string,
  resetToken: string,
  error?: FormError,
): Html {
  const fields = html`${renderUsernameField(email)}
    ${renderPasswordField("password", "new-password", "New password", error)}
    <button class="wide">Set the password</button>`;
  return renderCardPage(
    "Choose a new password",
    html`<p class="muted">This is for the account ${email}, and ends all its sessions.</p>
      ${renderPostForm(`/reset/${resetToken}`, csrfToken, fields)}`,
    { notice: renderFormResult({ error }) },
  );
}

function renderEmailField(email: string, error: FormError | undefined): Html {
  const attributes = html`type="email" value="${email}" autocomplete="username"
  maxlength="${MAX_EMAIL_LENGTH}"`;
  return renderInputField({ name: "email", label: "E-mail address", attributes }, error);
}
