import { expect, test, vi } from "vitest";
import { createAuthenticator } from "../../../../src/access/keys/authenticate.js";
import { createKey, MAX_OVERLAP_MS } from "../../../../src/access/keys/keys.js";
import { setPlan } from "../../../../src/access/workspaces/workspaces.js";
import {
  createKeyAsOperator,
  type KeyRequest,
  listKeys,
  revokeKeyAsOperator,
  rotateKeyAsOperator,
} from "../../../../src/access/keys/operator-keys.js";
import { insertAccount, insertMember } from "../../../../src/storage/access/accounts.js";
import { findAuditEvents } from "../../../../src/storage/access/audit.js";
import {
  findActiveKeysOfFormerMember,
  findFormerMemberWithKeys,
  findNewestKeys,
} from "../../../../src/storage/access/keys.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import type { StorageScope } from "../../../../src/storage/tables.js";
import { freezeDate } from "../../../support/clock.js";
import { explain } from "../../../support/explain.js";
import { openTestStore } from "../../storage/open.js";

const HOUR = 3_600_000;

async function withKey(request: Partial<KeyRequest> = {}) {
  const store = await openTestStore();
  const made = await createKeyAsOperator(store, { workspaceName: "Acme", ...request });
  const works = async (key: string): Promise<boolean> =>
    (await createAuthenticator(store)(`Bearer ${key}`)) !== undefined;
  const [first] = await listKeys(store);
  if (first === undefined) throw new Error("There is no key.");
  return { store, ...made, id: first.id, works };
}

async function readLog(store: Store, workspaceId: string): Promise<string[]> {
  const events = await findAuditEvents({ db: store.read, workspaceId }, 100);
  return events.map(({ actor, action, detail }) => `${actor.name}: ${action} ${detail}`.trim());
}

test("a rotated key works until the overlap ends; the new key has its name and access", async () => {
  const { store, key, id, works } = await withKey({ keyName: "CI", access: "read_only" });
  const now = freezeDate();
  const rotated = await rotateKeyAsOperator(store, id, 300);
  vi.setSystemTime(now + 299);
  expect(await works(key)).toBe(true);
  expect(await works(rotated.key)).toBe(true);
  const [old, next] = await listKeys(store);
  expect(next).toMatchObject({ name: "CI", access: "read_only", expiresTime: null, replacedBy: null });
  expect(old).toMatchObject({ replacedBy: next?.id, revokedTime: null });
  expect(old?.expiresTime).toBe((next?.createdTime ?? 0) + 300);
  vi.setSystemTime(now + 300);
  expect(await works(key)).toBe(false);
  expect(await works(rotated.key)).toBe(true);
});

test("an overlap of 0 ends the old key at once; one over 30 days is refused", async () => {
  const { store, key, id, works } = await withKey();
  await expect(rotateKeyAsOperator(store, id, MAX_OVERLAP_MS + 1)).rejects.toThrow(/at most 30 days/);
  const rotated = await rotateKeyAsOperator(store, id, 0);
  expect(await works(key)).toBe(false);
  expect(await works(rotated.key)).toBe(true);
});

test("rotating an expiring key keeps its lifetime and never extends the old key", async () => {
  const expiresTime = freezeDate() + HOUR;
  const { store, id } = await withKey({ expiresTime });
  await rotateKeyAsOperator(store, id, 2 * HOUR);
  const [old, next] = await listKeys(store);
  expect(old?.expiresTime).toBe(expiresTime);
  const getLifetime = (key: typeof old): number => (key?.expiresTime ?? 0) - (key?.createdTime ?? 0);
  expect(getLifetime(next)).toBe(HOUR);
});

test("a key can be rotated once, and an inactive key cannot be rotated", async () => {
  const { store, id } = await withKey();
  const { stored } = await rotateKeyAsOperator(store, id, HOUR);
  await expect(rotateKeyAsOperator(store, id, HOUR)).rejects.toThrow(/was rotated already/);
  await revokeKeyAsOperator(store, stored.id);
  await expect(rotateKeyAsOperator(store, stored.id, HOUR)).rejects.toThrow(/is inactive/);
  await expect(
    createKeyAsOperator(store, { workspaceName: "Acme", expiresTime: Date.now() - 1 }),
  ).rejects.toThrow(/in the future/);
});

test("the audit log lists changes of keys and plans, newest first, without key text", async () => {
  const { store, key, id, workspaceId } = await withKey({ keyName: "CI" });
  const rotated = await rotateKeyAsOperator(store, id, 0);
  await revokeKeyAsOperator(store, rotated.stored.id);
  await revokeKeyAsOperator(store, rotated.stored.id);
  await setPlan(store, "Acme", "enterprise", 250);
  await setPlan(store, "Acme", "enterprise", 250);
  expect(await readLog(store, workspaceId)).toEqual([
    "Operator: plan.changed from free to enterprise with 250 requests per minute",
    "Operator: key.revoked",
    expect.stringMatching(/^Operator: key\.rotated replaced by ps_\w{6}…\w{4}, the old key ended at once$/),
    "Operator: key.created full access, never expires",
  ]);
  const rows = JSON.stringify(await store.read.selectFrom("audit_events").selectAll().execute());
  expect(rows).toContain(`CI (${key.slice(0, 9)}…${key.slice(-4)})`);
  for (const text of [key, rotated.key]) expect(rows).not.toContain(text);
});

test("each key, including a rotated one, has a bot user", async () => {
  const { store, id } = await withKey({ keyName: "CI" });
  const { stored } = await rotateKeyAsOperator(store, id, HOUR);
  const bots = await store.read.selectFrom("users").select(["id", "name", "type"]).orderBy("id").execute();
  expect(bots).toEqual([id, stored.id].map((each) => ({ id: each, name: "CI", type: "bot" })));
});

test("the creator of a key is no member of its workspace as a member of another one", async () => {
  const { store, workspaceId } = await withKey();
  const other = await createKeyAsOperator(store, { workspaceName: "Other" });
  const account = { id: "bob", email: "bob@example.org", name: "Bob", passwordHash: "", createdTime: 0 };
  const actor = { type: "account", id: account.id, name: account.name } as const;
  const options = { name: "Bob's", access: "full", expiresTime: null } as const;
  await store.writeServiceWide(async (tx) => {
    await insertAccount(tx, account);
    await insertMember({ db: tx, workspaceId: other.workspaceId }, account.id, "member", 0);
    await createKey({ db: tx, workspaceId }, options, actor);
  });
  const [, key] = await listKeys(store, "Acme");
  expect(key?.creator).toEqual({ name: "Bob", isMember: false });
});

test("the settings page reads the newest keys from an index, because a workspace can have very many revoked ones", async () => {
  const store = await openTestStore();
  const position = { id: "a key", createdTime: 0 };
  for (const after of [undefined, { ...position, isRevoked: false }, { ...position, isRevoked: true }]) {
    const plan = await explain(store.read, (db) =>
      findNewestKeys({ db, workspaceId: "a workspace" }, after, 10),
    );
    const range = after === undefined ? "" : " AND (created_time,id)<(?,?)";
    expect(plan).toContain(`USING INDEX api_keys_newest (workspace_id=? AND <expr>=?${range})`);
    expect(plan).not.toContain("USE TEMP B-TREE");
  }
});

test("the keys of a former member are read from an index, because a workspace can have very many others", async () => {
  const store = await openTestStore();
  const readPlan = (read: (scope: StorageScope) => Promise<unknown>) =>
    explain(store.read, (db) => read({ db, workspaceId: "a workspace" }));
  const keys = await readPlan((scope) => findActiveKeysOfFormerMember(scope, "an account", 0, 10));
  expect(keys).toContain("USING INDEX api_keys_by_creator (workspace_id=? AND created_by=?)");
  expect(keys).not.toContain("USE TEMP B-TREE");
  const creators = await readPlan((scope) => findFormerMemberWithKeys(scope, "an account", 0));
  expect(creators).toContain("USING INDEX api_keys_by_creator (workspace_id=? AND created_by>?)");
  expect(creators).not.toContain("USE TEMP B-TREE");
});
