import { isActive, shownKey } from "../../access/keys.js";
import type { ListedApiKey } from "../../storage/keys.js";
import { html, type Html, type Part } from "../html.js";
import { timeTag, tokenField } from "./layout.js";

/** A key in the list, and whether whoever looks may rotate and revoke it. */
export interface ShownKey {
  readonly key: ListedApiKey;
  readonly mine: boolean;
}

const DAY = 24 * 3_600_000;
/** Expiries that are nearer than this are pointed out. */
const SOON = 7 * DAY;

const OVERLAPS: readonly (readonly [string, string])[] = [
  ["24h", "for 24 hours"],
  ["1h", "for 1 hour"],
  ["7d", "for 7 days"],
  ["30d", "for 30 days"],
  ["0m", "no longer"],
];

/** The form that makes a key; `id` is the one that the key will have. */
export function createKeyForm(token: string, id: string, name: string): Html {
  return html`<form method="post" action="/settings/api/keys">
    ${tokenField(token)}
    <input type="hidden" name="id" value="${id}" />
    <div class="fields">
      <div class="field">
        <label for="key-name">Name</label>
        <input
          id="key-name"
          name="name"
          value="${name}"
          placeholder="What it is for, such as Nightly import"
          required
          maxlength="100"
          autocomplete="off"
        />
      </div>
      <div class="field">
        <label for="key-expiry">Expires</label>
        <select id="key-expiry" name="expires">
          <option value="7d">in 7 days</option>
          <option value="30d">in 30 days</option>
          <option value="90d" selected>in 90 days</option>
          <option value="365d">in a year</option>
          <option value="never">never</option>
        </select>
      </div>
      <div class="field">
        <label for="key-access">May</label>
        <select id="key-access" name="access">
          <option value="full">read and write</option>
          <option value="read_only">read only</option>
        </select>
      </div>
      <button>Create key</button>
    </div>
  </form>`;
}

/** A new key, shown this once. */
export function newKeyBox(key: string, what: string): Html {
  return html`<section class="notice good" aria-labelledby="new-key-title" role="status">
    <h2 id="new-key-title">${what}</h2>
    <p>Copy the key now and keep it in a safe place: it is shown this once.</p>
    <div class="copy">
      <label class="visually-hidden" for="new-key">The new key</label>
      <input class="mono" id="new-key" value="${key}" readonly autocomplete="off" spellcheck="false" />
      <button type="button" data-copy="new-key" hidden>Copy</button>
    </div>
    <p class="small" id="new-key-status" role="status"></p>
  </section>`;
}

/** The keys of a workspace: those that work, and behind a fold those that do no more. */
export function keyTables(keys: readonly ShownKey[], token: string, now: number): Html {
  const active = keys.filter(({ key }) => isActive(key, now));
  const over = keys.filter(({ key }) => !isActive(key, now));
  return html`${
    active.length === 0
      ? html`<p class="empty">There is no key that works. Create one above.</p>`
      : keyTable("Keys that work", active, token, now)
  }
  ${
    over.length > 0 &&
    html`<details class="over">
      <summary>${over.length === 1 ? "1 key works" : `${over.length} keys work`} no more</summary>
      ${keyTable("Keys that work no more", over, token, now)}
    </details>`
  }`;
}

function keyTable(caption: string, keys: readonly ShownKey[], token: string, now: number): Html {
  return html`<div class="table-frame">
    <table class="stack">
      <caption class="visually-hidden">
        ${caption}
      </caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Key</th>
          <th scope="col">Created</th>
          <th scope="col">Last used</th>
          <th scope="col">Expires</th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        ${[...keys].reverse().map((shown) => keyRow(shown, token, now))}
      </tbody>
    </table>
  </div>`;
}

function keyRow({ key, mine }: ShownKey, token: string, now: number): Html {
  return html`<tr>
    <td>
      <div class="key-name">${key.name}</div>
      ${key.access === "read_only" && html`<span class="badge accent">read only</span>`} ${badge(key, now)}
    </td>
    <td class="nowrap" data-label="Key"><code>${shownKey(key)}</code></td>
    <td class="nowrap" data-label="Created">${timeTag(key.createdTime)}</td>
    <td class="nowrap" data-label="Last used">
      ${key.lastUsedTime === null ? "never" : timeTag(key.lastUsedTime, true)}
    </td>
    <td class="nowrap" data-label="Expires">
      ${key.expiresTime === null ? "never" : timeTag(key.expiresTime, key.expiresTime - now < DAY)}
    </td>
    <td>${isActive(key, now) ? actions(key, mine, token) : ""}</td>
  </tr>`;
}

function badge(key: ListedApiKey, now: number): Part {
  if (key.revokedTime !== null) return html`<span class="badge bad">revoked</span>`;
  if ((key.expiresTime ?? Infinity) <= now) return html`<span class="badge bad">expired</span>`;
  if (key.replacedBy !== null) return html`<span class="badge warn">replaced</span>`;
  if ((key.expiresTime ?? Infinity) - now < SOON) return html`<span class="badge warn">expires soon</span>`;
  return undefined;
}

function actions(key: ListedApiKey, mine: boolean, token: string): Html {
  if (!mine) return html`<span class="muted small">made by somebody else</span>`;
  const named = html`<span class="visually-hidden"> ${key.name}, ${shownKey(key)}</span>`;
  const overlapId = `overlap-${key.id}`;
  return html`<div class="actions">
    ${
      key.replacedBy === null &&
      html`<details>
        <summary>Rotate${named}</summary>
        <form method="post" action="/settings/api/keys/${key.id}/rotate">
          ${tokenField(token)}
          <label class="small" for="${overlapId}">A new key takes over. This one works on</label>
          <select class="slim" id="${overlapId}" name="overlap">
            ${OVERLAPS.map(([value, text]) => html`<option value="${value}">${text}</option>`)}
          </select>
          <button class="slim">Rotate key</button>
        </form>
      </details>`
    }
    <details>
      <summary>Revoke${named}</summary>
      <form method="post" action="/settings/api/keys/${key.id}/revoke">
        ${tokenField(token)}
        <span class="small">Whatever uses it is refused within a second, for good.</span>
        <button class="danger slim">Revoke key</button>
      </form>
    </details>
  </div>`;
}
