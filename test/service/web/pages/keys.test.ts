import { expect, test } from "vitest";
import type { ListedApiKey } from "../../../../src/access/keys/keys.js";
import { newId } from "../../../../src/domain/ids.js";
import { DAY_MS } from "../../../../src/units.js";
import { renderKeyTables } from "../../../../src/web/pages/keys.js";

const NOW = Date.parse("2026-05-04T10:00:00Z");

/** Renders the only key of a workspace, and returns the text of its badge. */
function findBadge(fields: Partial<ListedApiKey>): string | undefined {
  const key: ListedApiKey = {
    workspaceId: newId(),
    workspaceName: "Acme",
    id: newId(),
    prefix: "ps_Ab12Cd",
    lastFour: "9xYz",
    name: "Key",
    createdTime: 0,
    expiresTime: null,
    revokedTime: null,
    lastUsedTime: null,
    access: "full",
    replacedBy: null,
    createdBy: null,
    creator: null,
    ...fields,
  };
  const { text } = renderKeyTables([{ key, isManageable: true }], null, "", NOW);
  return /<span class="badge \w+">([^<]*)</.exec(text)?.[1];
}

test.each<[string | undefined, Partial<ListedApiKey>]>([
  [undefined, {}],
  [undefined, { expiresTime: NOW + 7 * DAY_MS }],
  ["expires soon", { expiresTime: NOW + 7 * DAY_MS - 1 }],
  ["replaced", { expiresTime: NOW + 1, replacedBy: "another key" }],
  ["expired", { expiresTime: NOW, replacedBy: "another key" }],
  ["revoked", { expiresTime: NOW, revokedTime: NOW }],
])("the badge %j has the first state that applies to a key: %j", (badge, fields) => {
  expect(findBadge(fields)).toBe(badge);
});
