import type { AuditEvent } from "../../storage/audit.js";
import type { StoredSession } from "../../storage/sessions.js";
import { html, type Html } from "../html.js";
import { createKeyForm, keyTables, newKeyBox, type ShownKey } from "./keys.js";
import { layout, type Notice, noticeBox, timeTag, type Viewer } from "./layout.js";

/** What the page shows. */
export interface ApiSettings {
  readonly viewer: Viewer & { readonly session: StoredSession };
  readonly now: number;
  readonly keys: readonly ShownKey[];
  /** The id that the next key will have. */
  readonly nextId: string;
  /** See usageSection. */
  readonly usage: Html;
  /** For owners; undefined for others. */
  readonly log: readonly AuditEvent[] | undefined;
  readonly notice?: Notice | undefined;
  /** A key that was made just now, and what to say of it. */
  readonly newKey?: { readonly key: string; readonly what: string } | undefined;
  /** The name that was filled in when the form was refused. */
  readonly name?: string | undefined;
}

const ACTIONS: Readonly<Record<string, string>> = {
  "key.created": "created the key",
  "key.rotated": "rotated the key",
  "key.revoked": "revoked the key",
  "plan.changed": "changed the plan of",
  "member.invited": "invited somebody:",
  "invitation.withdrawn": "withdrew an invitation:",
  "member.joined": "joined:",
  "member.removed": "removed",
  "password.changed": "changed the password of",
  "password.link_made": "made a link for a new password for",
  "password.reset": "chose a new password by a link:",
};

/** The settings around the API: keys, plan and usage, and for owners the log. */
export function apiSettingsPage(settings: ApiSettings): Html {
  const { viewer, now, keys, nextId, newKey, name = "" } = settings;
  const { session } = viewer;
  const token = session.csrfToken;
  return layout(
    "API keys",
    html`<div class="page-head">
        <div>
          <h1>API keys</h1>
          <p>
            Keys for the workspace <strong>${session.workspaceName}</strong>. Programs send one with every
            request:
            <code>Authorization: Bearer ps_…</code>
          </p>
        </div>
      </div>
      ${noticeBox(settings.notice)} ${newKey && newKeyBox(newKey.key, newKey.what)}
      <section class="card" aria-labelledby="create-title">
        <div class="card-head"><h2 id="create-title">Create a key</h2></div>
        ${createKeyForm(token, nextId, name)}
      </section>
      <section class="card" aria-labelledby="keys-title">
        <div class="card-head"><h2 id="keys-title">Keys</h2></div>
        ${keyTables(keys, token, now)}
      </section>
      ${settings.usage} ${settings.log && auditLog(settings.log)}`,
    { viewer, current: "/settings/api" },
  );
}

function auditLog(events: readonly AuditEvent[]): Html {
  return html`<section class="card" aria-labelledby="log-title">
    <div class="card-head">
      <h2 id="log-title">Log</h2>
      <span class="muted small"
        >What was done to keys, plan, members and their passwords; owners see it.</span
      >
    </div>
    ${
      events.length === 0
        ? html`<p class="empty">Nothing was done yet.</p>`
        : html`<div class="table-frame" tabindex="0" role="region" aria-label="Entries of the log">
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
                      <td class="nowrap">${timeTag(time, true)}</td>
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
