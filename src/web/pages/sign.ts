import type { Invitation } from "../../access/invitations.js";
import { html, type Html, type HtmlValue } from "../html.js";
import {
  renderFieldError,
  type FormError,
  renderFormNotice,
  getInvalidAttributes,
  renderLayout,
  type Notice,
  renderNotice,
  renderCsrfField,
} from "./layout.js";

/** Values of the forms to sign in and to create an account. */
export interface SignForm {
  readonly token: string;
  readonly notice?: Notice | undefined;
  readonly error?: FormError | undefined;
  readonly name?: string;
  readonly email?: string;
  /** Path to continue with. */
  readonly next: string;
}

/** Renders the form to sign in; `registration` tells whether accounts can be created without an invitation. */
export function renderSignInPage(form: SignForm, registration: "open" | "restricted"): Html {
  const { token, notice, error, email = "", next } = form;
  return renderLayout(
    "Sign in",
    html`<div class="narrow">
      ${renderNotice(notice)} ${renderFormNotice(error)}
      <section class="card">
        <h1>Sign in</h1>
        <p class="muted">to read your pages and manage your API keys</p>
        <form method="post" action="/sign-in">
          ${renderCsrfField(token)}
          <input type="hidden" name="next" value="${next}" />
          ${renderEmailField(email, error)}
          ${renderPasswordField("password", "current-password", "Password", error)}
          <button class="wide">Sign in</button>
        </form>
        <p class="aside">
          Forgot your password? The operator of this service can create a link for a new one.
        </p>
        ${
          registration === "open"
            ? html`<p class="aside">
                New here? <a href="/sign-up?next=${encodeURIComponent(next)}">Create an account</a>
              </p>`
            : html`<p class="aside">New here? Ask an owner of a workspace for an invitation link.</p>`
        }
      </section>
    </div>`,
  );
}

/** Renders the form to create an account, with an invitation or with a new workspace. */
export function renderSignUpPage(
  form: SignForm,
  invitation: Invitation | undefined,
  invitationToken: string,
): Html {
  const { token, error, name = "", email = "", next } = form;
  const lead: HtmlValue = invitation
    ? html`You are invited to the workspace <strong>${invitation.workspaceName}</strong> as
        ${invitation.role}.`
    : "You get a workspace of your own, on the free plan.";
  return renderLayout(
    "Create an account",
    html`<div class="narrow">
      ${renderFormNotice(error)}
      <section class="card">
        <h1>Create an account</h1>
        <p class="muted">${lead}</p>
        <form method="post" action="/sign-up">
          ${renderCsrfField(token)}
          <input type="hidden" name="next" value="${next}" />
          <input type="hidden" name="invitation" value="${invitation ? invitationToken : ""}" />
          <div class="field">
            <label for="name">Your name</label>
            <input
              id="name"
              name="name"
              value="${name}"
              autocomplete="name"
              required
              maxlength="100"
              ${getInvalidAttributes("name", error)}
            />
            ${renderFieldError("name", error)}
          </div>
          ${renderEmailField(email, error)} ${renderNewPasswordField("Password", error)}
          <button class="wide">Create account</button>
        </form>
        <p class="aside">
          Already have an account? <a href="/sign-in?next=${encodeURIComponent(next)}">Sign in</a>
        </p>
      </section>
    </div>`,
  );
}

/** Renders the form of a reset link. */
export function renderResetPage(token: string, email: string, link: string, error?: FormError): Html {
  return renderLayout(
    "Choose a new password",
    html`<div class="narrow">
      ${renderFormNotice(error)}
      <section class="card">
        <h1>Choose a new password</h1>
        <p class="muted">for the account ${email}. All sessions of the account end.</p>
        <form method="post" action="/reset/${link}">
          ${renderCsrfField(token)}
          <input type="text" name="email" value="${email}" autocomplete="username" readonly hidden />
          ${renderNewPasswordField("New password", error)}
          <button class="wide">Set the password</button>
        </form>
      </section>
    </div>`,
  );
}

/** Renders the field for a new password. */
export function renderNewPasswordField(label: string, error: FormError | undefined): Html {
  return renderPasswordField(
    "password",
    "new-password",
    label,
    error,
    "At least 10 characters, and not a common password.",
  );
}

/** Renders the field for the current password, next to one for a new password. */
export function renderCurrentPasswordField(error: FormError | undefined): Html {
  return renderPasswordField("current-password", "current-password", "Current password", error);
}

function renderEmailField(email: string, error: FormError | undefined): Html {
  return html`<div class="field">
    <label for="email">E-mail address</label>
    <input
      id="email"
      name="email"
      type="email"
      value="${email}"
      autocomplete="username"
      required
      maxlength="200"
      ${getInvalidAttributes("email", error)}
    />
    ${renderFieldError("email", error)}
  </div>`;
}

function renderPasswordField(
  id: string,
  autocomplete: "current-password" | "new-password",
  label: string,
  error: FormError | undefined,
  hint?: string,
): Html {
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <input
      id="${id}"
      name="${id}"
      type="password"
      autocomplete="${autocomplete}"
      required
      maxlength="200"
      ${hint !== undefined && html`minlength="10"`}
      ${getInvalidAttributes(id, error, hintId)}
    />
    ${renderFieldError(id, error)}
    ${hintId !== undefined && html`<span class="hint" id="${hintId}">${hint}</span>`}
  </div>`;
}
