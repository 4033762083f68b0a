import type { StoredSession } from "../../storage/sessions.js";
import { html, type Html } from "../html.js";
import { layout, type Notice, noticeBox, tokenField, type Viewer } from "./layout.js";
import { newPasswordField, presentPasswordField } from "./sign.js";

/** Somebody's own account: who they are, where they are a member, and their password. */
export function accountPage(
  viewer: Viewer & { readonly session: StoredSession },
  notice: Notice | undefined,
): Html {
  const { session, memberships } = viewer;
  return layout(
    "Your account",
    html`<div class="page-head">
        <div>
          <h1>Your account</h1>
          <p>${session.accountName}, ${session.email}</p>
        </div>
      </div>
      ${noticeBox(notice)}
      <div class="columns">
        <section class="card" aria-labelledby="password-title">
          <div class="card-head"><h2 id="password-title">Change the password</h2></div>
          <form method="post" action="/settings/account/password">
            ${tokenField(session.csrfToken)}
            <input
              type="text"
              name="email"
              value="${session.email}"
              autocomplete="username"
              readonly
              hidden
            />
            ${presentPasswordField()} ${newPasswordField("New password")}
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
    { viewer, current: "/settings/account" },
  );
}
