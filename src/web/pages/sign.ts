import type { Invitation } from "../../access/invitations.js";
import { html, type Html, type Part } from "../html.js";
import {
  fieldError,
  type FormError,
  formNotice,
  invalidAttributes,
  layout,
  type Notice,
  noticeBox,
  tokenField,
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
export function signInPage(form: SignForm, registration: "open" | "restricted"): Html {
  const { token, notice, error, email = "", next } = form;
  return layout(
    "Sign in",
    html`<div class="narrow">
      ${noticeBox(notice)} ${formNotice(error)}
      <section class="card">
        <h1>Sign in</h1>
        <p class="muted">to read your pages and manage your API keys</p>
        <form method="post" action="/sign-in">
          ${tokenField(token)}
          <input type="hidden" name="next" value="${next}" />
          ${emailField(email, error)} ${passwordField("password", "current-password", "Password", error)}
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
export function signUpPage(
  form: SignForm,
  invitation: Invitation | undefined,
  invitationToken: string,
): Html {
  const { token, error, name = "", email = "", next } = form;
  const lead: Part = invitation
    ? html`You are invited to the workspace <strong>${invitation.workspaceName}</strong> as
        ${invitation.role}.`
    : "You get a workspace of your own, on the free plan.";
  return layout(
    "Create an account",
    html`<div class="narrow">
      ${formNotice(error)}
      <section class="card">
        <h1>Create an account</h1>
        <p class="muted">${lead}</p>
        <form method="post" action="/sign-up">
          ${tokenField(token)}
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
              ${invalidAttributes("name", error)}
            />
            ${fieldError("name", error)}
          </div>
          ${emailField(email, error)} ${newPasswordField("Password", error)}
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
export function resetPage(token: string, email: string, link: string, error?: FormError): Html {
  return layout(
    "Choose a new password",
    html`<div class="narrow">
      ${formNotice(error)}
      <section class="card">
        <h1>Choose a new password</h1>
        <p class="muted">for the account ${email}. All sessions of the account end.</p>
        <form method="post" action="/reset/${link}">
          ${tokenField(token)}
          <input type="text" name="email" value="${email}" autocomplete="username" readonly hidden />
          ${newPasswordField("New password", error)}
          <button class="wide">Set the password</button>
        </form>
      </section>
    </div>`,
  );
}

/** Renders the field for a new password. */
export function newPasswordField(label: string, error: FormError | undefined): Html {
  return passwordField(
    "password",
    "new-password",
    label,
    error,
    "At least 10 characters, and not a common password.",
  );
}

/** Renders the field for the current password, next to one for a new password. */
export function currentPasswordField(error: FormError | undefined): Html {
  return passwordField("current-password", "current-password", "Current password", error);
}

function emailField(email: string, error: FormError | undefined): Html {
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
      ${invalidAttributes("email", error)}
    />
    ${fieldError("email", error)}
  </div>`;
}

function passwordField(
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
      ${invalidAttributes(id, error, hintId)}
    />
    ${fieldError(id, error)} ${hintId !== undefined && html`<span class="hint" id="${hintId}">${hint}</span>`}
  </div>`;
}
