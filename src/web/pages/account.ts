import { html, type Html } from "../html.js";
import { renderPageHead, renderRoleBadge, renderSection } from "./elements.js";
import {
  type FormResult,
  renderFormResult,
  renderPostForm,
  renderPasswordField,
  renderUsernameField,
} from "./form-elements.js";
import { renderLayout, type SignedInLayoutData } from "./layout.js";

/** Renders the account page: name, address, workspaces and password. */
export function renderAccountPage(layoutData: SignedInLayoutData, result: FormResult): Html {
  const { session, memberships } = layoutData;
  const { error } = result;
  const passwordForm = renderPostForm(
    "/settings/account/password",
    session.csrfToken,
    html`${renderUsernameField(session.email)}
      ${renderPasswordField("current-password", "current-password", "Current password", error)}
      ${renderPasswordField("password", "new-password", "New password", error)}
      <p class="muted small">This ends your other sessions.</p>
      <button>Change password</button>`,
  );
  const workspaces = html`<ul class="members">
    ${memberships.map(
      ({ workspaceName, role }) =>
        html`<li>
          <div><strong>${workspaceName}</strong></div>
          ${renderRoleBadge(role)}
        </li>`,
    )}
  </ul>`;
  return renderLayout(
    "Your account",
    html`${renderPageHead("Your account", `${session.accountName}, ${session.email}`)}
      ${renderFormResult(result)}
      <div class="columns">
        ${renderSection("password", "Change password", passwordForm)}
        ${renderSection("workspaces", "Your workspaces", workspaces)}
      </div>`,
    { layoutData, currentPath: "/settings/account" },
  );
}
