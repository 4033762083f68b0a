import type { AuditAction, AuditEvent } from "../../access/audit.js";
import type { WorkspaceUsage } from "../../access/limits/usage.js";
import { formatDay, renderTimeTag } from "../format.js";
import { html, type Html } from "../html.js";
import { renderPageHead, renderSection, renderStackTable } from "./elements.js";
import { type FormResult, renderFormResult, renderNewSecret, renderPostForm } from "./form-elements.js";
import { renderCreateKeyForm, type KeyFormValues, type KeyRow, renderKeyTables } from "./keys.js";
import { renderLayout, type SignedInLayoutData } from "./layout.js";
import { renderUsageSection } from "./usage.js";

export interface ApiSettings extends FormResult {
  readonly layoutData: SignedInLayoutData;
  readonly baseUrl: string;
  readonly now: number;
  readonly keys: readonly KeyRow[];
  /** Continues after the keys; null at the end of the list. */
  readonly nextKeysCursor: string | null;
  /** Id of the key that the form creates. It comes from the form, so that submitting the form twice creates only one key. */
  readonly newKeyId: string;
  readonly usage: WorkspaceUsage;
  /** Whether to offer to revoke the active keys of former members, which only owners may. */
  readonly offersRevocation: boolean;
  /** Undefined for members who are not owners. */
  readonly log: readonly AuditEvent[] | undefined;
  readonly newKey?: { readonly key: string; readonly title: string } | undefined;
  /** Values that were entered in a refused form, or come from the query string. */
  readonly keyForm?: KeyFormValues | undefined;
}

/** Texts of log entries: between the names of the actor and the subject, or for SELF_ACTIONS after the name of the subject. */
const ACTION_TEXTS: Readonly<Record<AuditAction, string>> = {
  "key.created": "created the key",
  "key.rotated": "rotated the key",
  "key.revoked": "revoked the key",
  "plan.changed": "changed the plan of",
  "workspace.renamed": "renamed the workspace",
  "page.deleted": "permanently deleted the page",
  "database.deleted": "permanently deleted the database",
  "trash.emptied": "emptied the trash of",
  "member.invited": "created an invitation link",
  "invitation.withdrawn": "withdrew an invitation",
  "member.removed": "removed",
  "password.link_created": "created a password reset link for",
  "member.joined": "joined the workspace",
  "member.promoted": "became an owner",
  "member.renamed": "changed their name",
  "password.changed": "changed their password",
  "password.reset": "reset their password",
};

/** Actions of people that concern themselves. */
const SELF_ACTIONS: ReadonlySet<AuditAction> = new Set([
  "member.joined",
  "member.promoted",
  "member.renamed",
  "password.changed",
  "password.reset",
]);

/** Renders the settings of the API: keys, plan and usage, and for owners the log. */
export function renderApiSettingsPage(settings: ApiSettings): Html {
  const { layoutData, baseUrl, now, keys, newKeyId, newKey, error, keyForm } = settings;
  const { session } = layoutData;
  const { csrfToken } = session;
  const description = html`Keys for the workspace <strong>${session.workspaceName}</strong>. Programs send one
    with each request to <code>${baseUrl}/v1</code>, as the header <code>Authorization: Bearer ps_…</code>.`;
  return renderLayout(
    "API keys and usage",
    html`${renderPageHead("API keys and usage", description)} ${renderFormResult(settings)}
    ${
      newKey &&
      renderNewSecret("new-key", {
        title: newKey.title,
        instruction: "Copy the new key now: you won't see it again.",
        label: "The new key",
        secret: newKey.key,
      })
    }
    ${settings.offersRevocation && renderFormerMembersNotice(csrfToken)}
    ${renderSection("create", "Create a key", renderCreateKeyForm(csrfToken, newKeyId, keyForm, error))}
    ${renderSection("keys", "Keys", renderKeyTables(keys, settings.nextKeysCursor, csrfToken, now))}
    ${renderUsageSection(session, settings.usage, now)} ${settings.log && renderAuditLog(settings.log)}`,
    { layoutData, currentPath: "/settings/api" },
  );
}

function renderFormerMembersNotice(csrfToken: string): Html {
  const button = html`<button class="danger slim">Revoke all their keys</button>`;
  return html`<section class="notice bad" aria-labelledby="former-title">
    <h2 id="former-title">Keys of removed members</h2>
    <p>People who are no longer members have active keys. They are marked in the list of keys.</p>
    ${renderPostForm("/settings/api/keys/revoke-former", csrfToken, button)}
  </section>`;
}

function renderAuditLog(events: readonly AuditEvent[]): Html {
  const rows = events.map(
    ({ time, actor, action, subjectName, detail }) =>
      html`<tr>
        <td class="nowrap">${renderTimeTag(time, true)}</td>
        <td>
          ${
            SELF_ACTIONS.has(action)
              ? html`<strong>${subjectName}</strong> ${ACTION_TEXTS[action]}`
              : html`<strong>${actor.name}</strong> ${formatAction(action, subjectName)}`
          }
        </td>
        <td class="muted">${formatDetail(detail)}</td>
      </tr>`,
  );
  return renderSection(
    "log",
    "Log",
    rows.length === 0
      ? html`<p class="empty">The log is empty.</p>`
      : renderStackTable("Log entries", ["When", "What", "Details"], rows),
    html`<span class="muted small"
      >Changes to keys, plan, members and passwords, and permanent deletions. Visible to owners.</span
    >`,
  );
}

/** Describes an action with its subject. Quotes names, except those of people, which have the e-mail address beside them. */
function formatAction(action: AuditAction, subjectName: string): string {
  const isPerson = /^(?:member|password)\./.test(action);
  if (isPerson || subjectName === "") return `${ACTION_TEXTS[action]} ${subjectName}`;
  // The masked form of a key follows its name.
  const [, name = subjectName, maskedKey = ""] =
    (action.startsWith("key.") && /^(.*)( \(ps_\S+\))$/s.exec(subjectName)) || [];
  return `${ACTION_TEXTS[action]} “${name}”${maskedKey}`;
}

/** Formats the times in the details of an entry, such as `2026-12-26 19:10 UTC`, like the other times of pages. */
function formatDetail(detail: string): string {
  return detail.replace(/\d{4}-\d\d-\d\d(?= \d\d:\d\d UTC)/g, (day) => `${formatDay(day)},`);
}
