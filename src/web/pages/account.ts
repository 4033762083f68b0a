import { html, type Html } from "../html.js";
import { renderPageHead, renderRoleBadge, renderSection } from "./elements.js";
import {
  type FormResult,
  renderFormResult,
  renderPostForm,
  renderNameField,
  renderPasswordField,
  renderUsernameField,
} from "./form-elements.js";
import { renderLayout, type SignedInLayoutData } from "./layout.js";

/** Result of a form of the account page, and the name that was entered in a refused one. */
export interface AccountForm extends FormResult {
  readonly name?: string;
}

/** Renders the account page: name, address, workspaces and password. */
export function renderAccountPage(layoutData: SignedInLayoutData, form: AccountForm): Html {
  const { session, memberships } = layoutData;
  const { error, name = session.accountName } = form;
  const passwordError = form.name === undefined ? error : undefined;
  const nameForm = renderPostForm(
    "/settings/account/name",
    session.csrfToken,
    html`${renderNameField(name, error)} <button>Change name</button>`,
  );
  const passwordForm = renderPostForm(
    "/settings/account/password",
    session.csrfToken,
    html`${renderUsernameField(session.email)}
      ${renderPasswordField("current-password", "current-password", "Current password", passwordError)}
      ${renderPasswordField("password", "new-password", "New password", passwordError)}
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
      ${renderFormResult(form)}
      <div class="columns">
        <div>
          ${renderSection("name", "Change name", nameForm)}
          ${renderSection("workspaces", "Your workspaces", workspaces)}
        </div>
        ${renderSection("password", "Change password", passwordForm)}
      </div>`,
    { layoutData, currentPath: "/settings/account" },
  );
}
