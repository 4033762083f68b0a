import { DAY_MS } from "../../units.js";
import { MAX_NAME_LENGTH } from "../../access/checks.js";
import { isActive, type ListedApiKey, maskKey } from "../../access/keys/keys.js";
import { renderRecentTime, renderTimeTag } from "../format.js";
import { html, type Html, type HtmlValue } from "../html.js";
import { renderNextLink, renderStackTable } from "./elements.js";
import { type FormError, renderInputField, renderOptions, renderPostForm } from "./form-elements.js";

/** A key of the table, and whether the signed-in person may rotate and revoke it. */
export interface KeyRow {
  readonly key: ListedApiKey;
  readonly isManageable: boolean;
}

/** Keys that expire within this time have the badge "expires soon". */
const EXPIRES_SOON_MS = 7 * DAY_MS;

const OVERLAP_OPTIONS: readonly (readonly [string, string])[] = [
  ["0m", "not at all"],
  ["1h", "for 1 hour"],
  ["24h", "for 24 hours"],
  ["7d", "for 7 days"],
  ["30d", "for 30 days"],
];

const EXPIRY_OPTIONS = [
  ["7d", "in 7 days"],
  ["30d", "in 30 days"],
  ["90d", "in 90 days"],
  ["365d", "in a year"],
  ["never", "never"],
] as const;

const ACCESS_OPTIONS = [
  ["full", "full access"],
  ["read_only", "read-only"],
] as const;

/** Values that were entered in the form that creates a key. */
export type KeyFormValues = Readonly<Record<"name" | "expires" | "access", string>>;

/** Renders the form that creates a key. It has the id of the key, so that submitting it twice creates only one key. */
export function renderCreateKeyForm(
  csrfToken: string,
  id: string,
  values: KeyFormValues | undefined,
  error: FormError | undefined,
): Html {
  const attributes = html`value="${values?.name}" placeholder="Such as Nightly import"
  maxlength="${MAX_NAME_LENGTH}" autocomplete="off"`;
  return renderPostForm(
    "/settings/api/keys",
    csrfToken,
    html`<input type="hidden" name="id" value="${id}" />
      <div class="fields">
        ${renderInputField({ name: "name", label: "Name", attributes }, error)}
        <div class="field">
          <label for="key-expiry">Expires</label>
          <select id="key-expiry" name="expires">
            ${renderOptions(EXPIRY_OPTIONS, values?.expires ?? "90d")}
          </select>
        </div>
        <div class="field">
          <label for="key-access">Permissions</label>
          <select id="key-access" name="access">
            ${renderOptions(ACCESS_OPTIONS, values?.access ?? "full")}
          </select>
        </div>
        <button>Create key</button>
      </div>`,
  );
}

/** Renders a part of the keys of a workspace: a table of active keys, and a collapsed one of inactive keys. */
export function renderKeyTables(
  keys: readonly KeyRow[],
  nextCursor: string | null,
  csrfToken: string,
  now: number,
): Html {
  const active = keys.filter(({ key }) => isActive(key, now));
  const inactive = keys.filter(({ key }) => !isActive(key, now));
  return html`${
    active.length === 0
      ? html`<p class="empty">There are no active keys. Create one above.</p>`
      : renderKeyTable("Active keys", active, csrfToken, now)
  }
  ${
    inactive.length > 0 &&
    html`<details class="inactive">
      <summary>${inactive.length} inactive ${inactive.length === 1 ? "key" : "keys"}</summary>
      ${renderKeyTable("Inactive keys", inactive, csrfToken, now)}
    </details>`
  }
  ${renderNextLink("Older keys", nextCursor, {}, "keys")}`;
}

function renderKeyTable(label: string, keys: readonly KeyRow[], csrfToken: string, now: number): Html {
  const headings = ["Name", "Key", "Created", "By", "Last used", "Expires", "Actions"];
  const rows = keys.map((row) => renderKeyRow(row, csrfToken, now));
  return renderStackTable(label, headings, rows);
}

function renderKeyRow({ key, isManageable }: KeyRow, csrfToken: string, now: number): Html {
  const expiresWithinDay = (key.expiresTime ?? Infinity) - now < DAY_MS;
  return html`<tr>
    <td>
      <div class="key-name">${key.name}</div>
      ${key.access === "read_only" && html`<span class="badge accent">read-only</span>`}
      ${renderStateBadge(key, now)}
    </td>
    <td class="nowrap" data-label="Key"><code>${maskKey(key)}</code></td>
    <td class="nowrap" data-label="Created">${renderTimeTag(key.createdTime)}</td>
    <td data-label="By">${getCreatorName(key)}</td>
    <td data-label="Last used">
      ${key.lastUsedTime === null ? "never" : renderRecentTime(key.lastUsedTime, now)}
    </td>
    <td class="${!expiresWithinDay && "nowrap"}" data-label="Expires">
      ${key.expiresTime === null ? "never" : renderTimeTag(key.expiresTime, expiresWithinDay)}
    </td>
    <td>${isActive(key, now) ? renderKeyActions(key, isManageable, csrfToken) : ""}</td>
  </tr>`;
}

function getCreatorName({ creator }: ListedApiKey): HtmlValue {
  if (creator === null) return "Operator";
  return creator.isMember
    ? creator.name
    : html`${creator.name} <span class="badge bad">removed member</span>`;
}

/** Renders the badge of the first state that applies; nothing for a key that is simply active. */
function renderStateBadge(key: ListedApiKey, now: number): HtmlValue {
  if (key.revokedTime !== null) return html`<span class="badge bad">revoked</span>`;
  if ((key.expiresTime ?? Infinity) <= now) return html`<span class="badge bad">expired</span>`;
  if (key.replacedBy !== null) return html`<span class="badge warn">replaced</span>`;
  if ((key.expiresTime ?? Infinity) - now < EXPIRES_SOON_MS)
    return html`<span class="badge warn">expires soon</span>`;
  return undefined;
}

/** Renders the forms that rotate and revoke a key. A key that was rotated already cannot be rotated again. */
function renderKeyActions(key: ListedApiKey, isManageable: boolean, csrfToken: string): HtmlValue {
  if (!isManageable) return html`<span class="muted small">managed by owners</span>`;
  const hiddenKeyName = html`<span class="visually-hidden"> ${key.name}, ${maskKey(key)}</span>`;
  const overlapId = `overlap-${key.id}`;
  const rotation = html`<label class="small" for="${overlapId}"
      >A new key replaces it. This one keeps working</label
    >
    <select class="slim" id="${overlapId}" name="overlap">
      ${renderOptions(OVERLAP_OPTIONS, "24h")}
    </select>
    <button class="slim">Rotate key</button>`;
  const revocation = html`<span class="small">It stops working within a second and cannot be restored.</span>
    <button class="danger slim">Revoke key</button>`;
  return html`<div class="actions">
    ${
      key.replacedBy === null &&
      html`<details>
        <summary>Rotate${hiddenKeyName}</summary>
        ${renderPostForm(`/settings/api/keys/${key.id}/rotate`, csrfToken, rotation)}
      </details>`
    }
    <details>
      <summary>Revoke${hiddenKeyName}</summary>
      ${renderPostForm(`/settings/api/keys/${key.id}/revoke`, csrfToken, revocation)}
    </details>
  </div>`;
}
