import type { AuditEvent } from "../../access/audit.js";
import { isActive } from "../../access/keys.js";
import type { Session } from "../../access/sessions.js";
import type { WorkspaceUsage } from "../../access/usage.js";
import { html, type Html, type HtmlValue } from "../html.js";
import { renderCreateKeyForm, type KeyRow, renderKeyTables, renderNewKey } from "./keys.js";
import {
  type FormError,
  renderFormNotice,
  renderLayout,
  type Notice,
  renderNotice,
  type PageContext,
  renderTimeTag,
  renderCsrfField,
} from "./layout.js";
import { renderUsageSection } from "./usage.js";

/** Content of the settings of the API. */
export interface ApiSettings {
  readonly context: PageContext & { readonly session: Session };
  readonly now: number;
  readonly keys: readonly KeyRow[];
  /** Id of the next key. It comes from the form, so that submitting the form twice creates only one key. */
  readonly nextId: string;
  readonly usage: WorkspaceUsage;
  /** Undefined for members who are not owners. */
  readonly log: readonly AuditEvent[] | undefined;
  readonly notice?: Notice | undefined;
  readonly error?: FormError | undefined;
  /** Key that was created by this request. */
  readonly newKey?: { readonly key: string; readonly title: string } | undefined;
  /** Name in the refused form. */
  readonly name?: string | undefined;
}

const ACTIONS: Readonly<Record<string, string>> = {
  "key.created": "created the key",
  "key.rotated": "rotated the key",
  "key.revoked": "revoked the key",
  "plan.changed": "changed the plan of",
  "workspace.renamed": "renamed the workspace",
  "member.invited": "created an invitation link",
  "invitation.withdrawn": "withdrew an invitation",
  "member.joined": "joined the workspace:",
  "member.removed": "removed",
  "password.changed": "changed the password of",
  "password.link_made": "created a password reset link for",
  "password.reset": "reset the password of",
};

/** Renders the settings of the API: keys, plan and usage, and for owners the log. */
export function renderApiSettingsPage(settings: ApiSettings): Html {
  const { context, now, keys, nextId, newKey, error, name = "" } = settings;
  const { session } = context;
  const token = session.csrfToken;
  return renderLayout(
    "API keys",
    html`<div class="page-head">
        <div>
          <h1>API keys</h1>
          <p>
            Keys for the workspace <strong>${session.workspaceName}</strong>. Programs send one with each
            request:
            <code>Authorization: Bearer ps_…</code>
          </p>
        </div>
      </div>
      ${renderNotice(settings.notice)} ${renderFormNotice(error)}
      ${newKey && renderNewKey(newKey.key, newKey.title)}
      ${session.role === "owner" && renderFormerMembersNotice(keys, token, now)}
      <section class="card" aria-labelledby="create-title">
        <div class="card-head"><h2 id="create-title">Create a key</h2></div>
        ${renderCreateKeyForm(token, nextId, name, error)}
      </section>
      <section class="card" aria-labelledby="keys-title">
        <div class="card-head"><h2 id="keys-title">Keys</h2></div>
        ${renderKeyTables(keys, token, now)}
      </section>
      ${renderUsageSection(session, settings.usage, now)} ${settings.log && renderAuditLog(settings.log)}`,
    { context, current: "/settings/api" },
  );
}

/** Renders a button to revoke the active keys of former members. */
function renderFormerMembersNotice(keys: readonly KeyRow[], token: string, now: number): HtmlValue {
  const affected = keys.filter(({ key }) => key.creator?.isMember === false && isActive(key, now));
  if (affected.length === 0) return undefined;
  const names = [...new Set(affected.map(({ key }) => key.creator?.name ?? ""))].join(", ");
  const what = affected.length === 1 ? "1 active key was" : `${affected.length} active keys were`;
  return html`<section class="notice bad" aria-labelledby="former-title">
    <h2 id="former-title">Keys of removed members</h2>
    <p>${what} created by people who are no longer members: ${names}.</p>
    <form method="post" action="/settings/api/keys/revoke-former">
      ${renderCsrfField(token)}
      <button class="danger slim">Revoke ${affected.length === 1 ? "this key" : "these keys"}</button>
    </form>
  </section>`;
}

function renderAuditLog(events: readonly AuditEvent[]): Html {
  return html`<section class="card" aria-labelledby="log-title">
    <div class="card-head">
      <h2 id="log-title">Log</h2>
      <span class="muted small">Changes to keys, plan, members and passwords. Visible to owners.</span>
    </div>
    ${
      events.length === 0
        ? html`<p class="empty">The log is empty.</p>`
        : html`<div class="table-frame" tabindex="0" role="region" aria-label="Log entries">
            <table class="stack">
              <thead>
                <tr>
                  <th scope="col">When</th>
                  <th scope="col">What</th>
                  <th scope="col">Details</th>
                </tr>
              </thead>
              <tbody>
                ${events.map(
                  ({ time, actor, action, subjectName, detail }) =>
                    html`<tr>
                      <td class="nowrap">${renderTimeTag(time, true)}</td>
                      <td><strong>${actor.name}</strong> ${ACTIONS[action] ?? action} ${subjectName}</td>
                      <td class="muted">${detail}</td>
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`
    }
  </section>`;
}
