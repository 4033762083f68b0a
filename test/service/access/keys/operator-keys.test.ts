import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { generateKey, isWellFormedKey } from "../../../../src/access/keys/key-format.js";
import { maskKey } from "../../../../src/access/keys/keys.js";
import { hashToken } from "../../../../src/access/accounts/tokens.js";
import { createAuthenticator } from "../../../../src/access/keys/authenticate.js";
import { UserError } from "../../../../src/errors.js";
import { createDemoWorkspace } from "../../../../src/access/workspaces/demo.js";
import {
  createKeyAsOperator,
  listKeys,
  revokeKeyAsOperator,
} from "../../../../src/access/keys/operator-keys.js";
import { listWorkspaces } from "../../../../src/access/workspaces/workspaces.js";
import { findDatabase } from "../../../../src/storage/databases/databases.js";
import { openTestStore, createTemporaryPath } from "../../storage/open.js";

test("creating a key for a new workspace creates a database", async () => {
  const store = await openTestStore();
  const made = await createKeyAsOperator(store, { workspaceName: "Acme", plan: "pro", keyName: "CI" });
  expect(isWellFormedKey(made.key)).toBe(true);
  const database = await findDatabase({ db: store.read, workspaceId: made.workspaceId }, made.rootDatabaseId);
  expect(database?.title.map((item) => item.plain_text)).toEqual(["Pages"]);
  expect(database?.schema.definitions.map(({ name, type }) => [name, type])).toEqual([
    ["Title", "title"],
    ["Notes", "rich_text"],
    ["Done", "checkbox"],
    ["Points", "number"],
  ]);
  expect(database?.schema.byName.get("Title")?.id).toBe("title");
  expect(new Set(database?.schema.byId.keys()).size).toBe(4);
});

test("a key gets a database outside of the trash, which is created if there is none", async () => {
  const store = await openTestStore();
  const createKey = () => createKeyAsOperator(store, { workspaceName: "Acme" });
  const { rootDatabaseId: trashedId } = await createKey();
  await store.writeServiceWide((tx) =>
    tx.updateTable("databases").set({ in_trash: 1 }).where("id", "=", trashedId).execute(),
  );
  const { rootDatabaseId } = await createKey();
  expect(rootDatabaseId).not.toBe(trashedId);
  expect((await createKey()).rootDatabaseId).toBe(rootDatabaseId);
});

test("a second key reuses the workspace and its database, and changes the plan only on request", async () => {
  const store = await openTestStore();
  const other = await createKeyAsOperator(store, { workspaceName: "Other" });
  const first = await createKeyAsOperator(store, { workspaceName: "Acme", plan: "enterprise", limit: 7 });
  const limitAfter = async (plan?: string, limit?: number) => {
    const next = await createKeyAsOperator(store, { workspaceName: "Acme", plan, limit });
    const requestLimit = (await createAuthenticator(store)(`Bearer ${next.key}`))?.requestLimit;
    expect({ ...next, key: "" }).toEqual({
      ...first,
      key: "",
      stored: next.stored,
      createdWorkspace: false,
      plan: plan ?? "enterprise",
      requestLimit,
    });
    expect(next.key).not.toBe(first.key);
    return requestLimit;
  };
  expect(await limitAfter()).toBe(7);
  expect(await limitAfter("enterprise")).toBe(7);
  expect(await limitAfter(undefined, 8)).toBe(8);
  expect(await limitAfter("enterprise", 9)).toBe(9);
  expect(await limitAfter("free")).toBe(100);
  expect(await limitAfter("enterprise")).toBe(2_147_483_647);
  expect(await listKeys(store, "Acme")).toHaveLength(7);
  // The plan of another workspace stays the same.
  expect((await createAuthenticator(store)(`Bearer ${other.key}`))?.plan).toBe("free");
});

test("a workspace has the free plan unless another is requested", async () => {
  const store = await openTestStore();
  const { key } = await createKeyAsOperator(store, { workspaceName: "Acme" });
  expect((await createAuthenticator(store)(`Bearer ${key}`))?.plan).toBe("free");
});

test.each([
  [{ workspaceName: "" }, /Enter a name for the workspace/],
  [{ workspaceName: " \u00a0" }, /Enter a name for the workspace/],
  [{ workspaceName: "x".repeat(101) }, /at most 100/],
  [{ workspaceName: "a\nb" }, /contains control characters/],
  [{ workspaceName: "a\0b" }, /contains control characters/],
  [{ workspaceName: "a\ud800b" }, /control characters/],
  [{ workspaceName: "A", keyName: "" }, /Enter a name for the key/],
  [{ workspaceName: "A", plan: "gold" }, /Choose one of: free, pro, enterprise/],
  [{ workspaceName: "A", plan: "constructor" }, /Choose one of/],
  [{ workspaceName: "A", plan: "pro", limit: 5 }, /or choose the plan "enterprise"/],
  [{ workspaceName: "A", limit: 5 }, /limit of the plan "free" is fixed/],
  [{ workspaceName: "A", plan: "enterprise", limit: 0 }, /from 1 to 2147483647/],
  [{ workspaceName: "A", plan: "enterprise", limit: 1.5 }, /from 1 to 2147483647/],
  [{ workspaceName: "A", plan: "enterprise", limit: NaN }, /from 1 to 2147483647/],
  [{ workspaceName: "A", plan: "enterprise", limit: 2_147_483_648 }, /from 1 to 2147483647/],
])("%j is refused, and nothing is created", async (request, message) => {
  const store = await openTestStore(":memory:");
  const attempt = createKeyAsOperator(store, request);
  await expect(attempt).rejects.toThrow(UserError);
  await expect(attempt).rejects.toThrow(message);
  expect(await store.read.selectFrom("workspaces").select("id").execute()).toEqual([]);
});

test("names of 100 characters in any language are stored unchanged", async () => {
  const store = await openTestStore(":memory:");
  const workspaceName = "Žluťoučký 'kůň'\"; -- 🐎".padEnd(100, "字");
  await createKeyAsOperator(store, { workspaceName });
  expect((await listKeys(store, workspaceName)).map((key) => key.workspaceName)).toEqual([workspaceName]);
});

test("the database contains the hash of a key instead of the key", async () => {
  const file = createTemporaryPath();
  const store = await openTestStore(file);
  const { key } = await createKeyAsOperator(store, { workspaceName: "Acme" });
  await store.close();
  const bytes = readFileSync(file);
  expect(bytes.includes(hashToken(key))).toBe(true);
  expect(bytes.includes(key)).toBe(false);
  expect(bytes.includes(key.slice(3, 33))).toBe(false);
});

test("keys are listed with prefix and last four characters", async () => {
  const store = await openTestStore();
  const one = await createKeyAsOperator(store, { workspaceName: "One", keyName: "first" });
  const two = await createKeyAsOperator(store, { workspaceName: "Two", keyName: "second" });
  const keys = await listKeys(store);
  expect(
    keys.map(({ name, workspaceName, prefix, lastFour }) => [name, workspaceName, prefix, lastFour]),
  ).toEqual([
    ["first", "One", one.key.slice(0, 9), one.key.slice(-4)],
    ["second", "Two", two.key.slice(0, 9), two.key.slice(-4)],
  ]);
  expect((await listKeys(store, "Two")).map((key) => key.name)).toEqual(["second"]);
  await expect(listKeys(store, "Three")).rejects.toThrow(/no workspace "Three"/);
});

test("revokes only the key with the id or prefix, permanently", async () => {
  const store = await openTestStore();
  const one = await createKeyAsOperator(store, { workspaceName: "Acme" });
  const two = await createKeyAsOperator(store, { workspaceName: "Acme" });
  const revoked = await revokeKeyAsOperator(store, one.key.slice(0, 9));
  expect(revoked.revokedTime).toBeGreaterThan(0);
  expect(await revokeKeyAsOperator(store, revoked.id)).toEqual(revoked);
  // Typed on a keyboard without the ellipsis of the masked key.
  expect(await revokeKeyAsOperator(store, maskKey(revoked).replace("…", "..."))).toEqual(revoked);
  const authenticate = createAuthenticator(store);
  expect(await authenticate(`Bearer ${one.key}`)).toBeUndefined();
  expect(await authenticate(`Bearer ${two.key}`)).toBeDefined();
  await expect(revokeKeyAsOperator(store, "ps_")).rejects.toThrow(/no key "ps_"/);
});

test("a whole key is found, and an unknown one is not repeated in the message", async () => {
  const store = await openTestStore();
  const { key } = await createKeyAsOperator(store, { workspaceName: "Acme" });
  await createKeyAsOperator(store, { workspaceName: "Acme" });
  await store.writeServiceWide((tx) => tx.updateTable("api_keys").set({ prefix: "ps_AAAAAA" }).execute());
  const { lastFour, revokedTime } = await revokeKeyAsOperator(store, key);
  expect([lastFour, typeof revokedTime]).toEqual([key.slice(-4), "number"]);
  const unknown = generateKey();
  await expect(revokeKeyAsOperator(store, unknown)).rejects.toThrow(
    `There is no key "${unknown.slice(0, 9)}…${unknown.slice(-4)}".`,
  );
});

test("an ambiguous prefix revokes no key", async () => {
  const store = await openTestStore();
  await createKeyAsOperator(store, { workspaceName: "Acme" });
  await createKeyAsOperator(store, { workspaceName: "Acme" });
  await store.writeServiceWide((tx) => tx.updateTable("api_keys").set({ prefix: "ps_AAAAAA" }).execute());
  const keys = await listKeys(store);
  const ids = keys.map((key) => key.id);
  await expect(revokeKeyAsOperator(store, "ps_AAAAAA")).rejects.toThrow(
    keys.map(({ id, lastFour }) => `ps_AAAAAA…${lastFour} (${id}) in "Acme"`).join(", "),
  );
  expect((await listKeys(store)).map((key) => key.revokedTime)).toEqual([null, null]);
  // The prefix of a revoked and of a working key names the working one.
  await revokeKeyAsOperator(store, ids[0] ?? "");
  expect((await revokeKeyAsOperator(store, "ps_AAAAAA")).id).toBe(ids[1]);
});

test("a key is found by its masked text if a key of another workspace has its id or prefix", async () => {
  const store = await openTestStore();
  for (const workspaceName of ["One", "Two"]) await createKeyAsOperator(store, { workspaceName });
  const [one, two] = await listKeys(store);
  if (one === undefined || two === undefined) throw new Error("A key is missing.");
  await store.writeServiceWide((tx) =>
    tx.updateTable("api_keys").set({ id: one.id, prefix: "ps_AAAAAA" }).execute(),
  );
  await expect(revokeKeyAsOperator(store, one.id)).rejects.toThrow(
    `ps_AAAAAA…${one.lastFour} (${one.id}) in "One", ps_AAAAAA…${two.lastFour} (${one.id}) in "Two"`,
  );
  await revokeKeyAsOperator(store, `ps_AAAAAA…${two.lastFour}`);
  expect((await listKeys(store, "One"))[0]?.revokedTime).toBeNull();
  expect((await listKeys(store, "Two"))[0]?.revokedTime).toEqual(expect.any(Number));
});

test("the demo is created only in an empty store, once for concurrent starts", async () => {
  const file = createTemporaryPath();
  const stores = [await openTestStore(file), await openTestStore(file)];
  const made = (await Promise.all(stores.map((store) => createDemoWorkspace(store, true)))).filter(
    (demo) => demo !== undefined,
  );
  expect(made).toHaveLength(1);
  const [store] = stores;
  if (store === undefined) throw new Error("No store.");
  const principal = await createAuthenticator(store)(`Bearer ${made[0]?.key}`);
  expect(principal).toMatchObject({ workspaceName: "Demo", plan: "pro", requestLimit: 1000 });
  expect(await createDemoWorkspace(store, true)).toBeUndefined();
});

test("the demo has the same plan without a key", async () => {
  const store = await openTestStore();
  expect(await createDemoWorkspace(store, false)).toMatchObject({ key: undefined });
  expect(await listWorkspaces(store)).toMatchObject([{ name: "Demo", plan: "pro" }]);
});
