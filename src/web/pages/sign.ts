import type { Invitation } from "../../storage/invitations.js";
import { html, type Html, type Part } from "../html.js";
import { layout, type Notice, noticeBox, tokenField } from "./layout.js";

/** What the forms to sign in and up are filled with. */
export interface SignForm {
  readonly token: string;
  readonly notice?: Notice | undefined;
  readonly name?: string;
  readonly email?: string;
  /** The path to go to afterwards. */
  readonly next: string;
}

/** The form to sign in. */
export function signInPage({ token, notice, email = "", next }: SignForm): Html {
  return layout(
    "Sign in",
    html`<div class="narrow">
      ${noticeBox(notice)}
      <section class="card">
        <h1>Sign in</h1>
        <p class="muted">to manage your API keys</p>
        <form method="post" action="/sign-in">
          ${tokenField(token)}
          <input type="hidden" name="next" value="${next}" />
          ${emailField(email)} ${passwordField("password", "current-password", "Password", undefined)}
          <button class="wide">Sign in</button>
        </form>
        <p class="aside">
          Forgot your password? Whoever runs this service can make you a link for a new one.
        </p>
        <p class="aside">
          New here? <a href="/sign-up?next=${encodeURIComponent(next)}">Create an account</a>
        </p>
      </section>
    </div>`,
  );
}

/**
 * The form to sign up.
 *
 * @param place What the account will be in: a workspace by an invitation, the one that is there already, or a new one.
 */
export function signUpPage(
  { token, notice, name = "", email = "", next }: SignForm,
  place: {
    readonly invitation: Invitation | undefined;
    readonly invitationToken: string;
    readonly first: string | undefined;
  },
): Html {
  const { invitation, invitationToken, first } = place;
  const lead: Part = invitation
    ? html`You are invited to the workspace <strong>${invitation.workspaceName}</strong>.`
    : first === undefined
      ? "You get a workspace of your own, on the free plan."
      : html`This is the first account of this service: it will own the workspace <strong>${first}</strong>.`;
  return layout(
    "Create an account",
    html`<div class="narrow">
      ${noticeBox(notice)}
      <section class="card">
        <h1>Create an account</h1>
        <p class="muted">${lead}</p>
        <form method="post" action="/sign-up">
          ${tokenField(token)}
          <input type="hidden" name="next" value="${next}" />
          <input type="hidden" name="invitation" value="${invitation ? invitationToken : ""}" />
          <div class="field">
            <label for="name">Your name</label>
            <input id="name" name="name" value="${name}" autocomplete="name" required maxlength="100" />
          </div>
          ${emailField(email)} ${newPasswordField("Password")}
          <button class="wide">Create account</button>
        </form>
        <p class="aside">
          You have one already? <a href="/sign-in?next=${encodeURIComponent(next)}">Sign in</a>
        </p>
      </section>
    </div>`,
  );
}

/** The form of a link by which somebody chooses another password. */
export function resetPage(token: string, email: string, link: string, notice?: Notice): Html {
  return layout(
    "Choose a new password",
    html`<div class="narrow">
      ${noticeBox(notice)}
      <section class="card">
        <h1>Choose a new password</h1>
        <p class="muted">for the account ${email}. Wherever you are signed in, you are signed out.</p>
        <form method="post" action="/reset/${link}">
          ${tokenField(token)}
          <input type="text" name="email" value="${email}" autocomplete="username" readonly hidden />
          ${newPasswordField("New password")}
          <button class="wide">Set the password</button>
        </form>
      </section>
    </div>`,
  );
}

/** The field for a password that is to be. */
export function newPasswordField(label: string): Html {
  return passwordField("password", "new-password", label, "At least 10 characters.");
}

/** The field for the password that there is, beside one for a new one. */
export function presentPasswordField(): Html {
  return passwordField("present-password", "current-password", "Present password", undefined);
}

function emailField(email: string): Html {
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
    />
  </div>`;
}

function passwordField(
  id: string,
  autocomplete: "current-password" | "new-password",
  label: string,
  hint: string | undefined,
): Html {
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <input
      id="${id}"
      name="${id}"
      type="password"
      autocomplete="${autocomplete}"
      required
      maxlength="200"
      ${hint && html`minlength="10" aria-describedby="password-hint"`}
    />
    ${hint && html`<span class="hint" id="password-hint">${hint}</span>`}
  </div>`;
}
