import type { Session } from "../../access/sessions.js";
import { html, type Html } from "../html.js";
import {
  type FormError,
  renderFormNotice,
  renderLayout,
  type Notice,
  renderNotice,
  type PageContext,
  renderCsrfField,
} from "./layout.js";
import { renderCurrentPasswordField, renderNewPasswordField } from "./sign.js";

/** Renders the account page: name, address, workspaces and password. */
export function renderAccountPage(
  context: PageContext & { readonly session: Session },
  { notice, error }: { notice?: Notice | undefined; error?: FormError | undefined },
): Html {
  const { session, memberships } = context;
  return renderLayout(
    "Your account",
    html`<div class="page-head">
        <div>
          <h1>Your account</h1>
          <p>${session.accountName}, ${session.email}</p>
        </div>
      </div>
      ${renderNotice(notice)} ${renderFormNotice(error)}
      <div class="columns">
        <section class="card" aria-labelledby="password-title">
          <div class="card-head"><h2 id="password-title">Change the password</h2></div>
          <form method="post" action="/settings/account/password">
            ${renderCsrfField(session.csrfToken)}
            <input
              type="text"
              name="email"
              value="${session.email}"
              autocomplete="username"
              readonly
              hidden
            />
            ${renderCurrentPasswordField(error)} ${renderNewPasswordField("New password", error)}
            <p class="muted small">All your other sessions end.</p>
            <button>Change the password</button>
          </form>
        </section>
        <section class="card" aria-labelledby="workspaces-title">
          <div class="card-head"><h2 id="workspaces-title">Your workspaces</h2></div>
          <ul class="members">
            ${memberships.map(
              ({ workspaceName, role }) =>
                html`<li>
                  <div><strong>${workspaceName}</strong></div>
                  <span class="badge ${role === "owner" ? "accent" : ""}">${role}</span>
                </li>`,
            )}
          </ul>
        </section>
      </div>`,
    { context, current: "/settings/account" },
  );
}
