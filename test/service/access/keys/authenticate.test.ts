import { setImmediate as awaitTurn } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { generateKey } from "../../../../src/access/keys/key-format.js";
import { createAuthenticator, createLookupQueue } from "../../../../src/access/keys/authenticate.js";
import { createKeyAsOperator, revokeKeyAsOperator } from "../../../../src/access/keys/operator-keys.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import { freezeClock, freezeDate } from "../../../support/clock.js";
import { BusyError } from "../../../../src/errors.js";
import { testUnless } from "../../../support/requirements.js";
import { newPostgresDatabase, NO_POSTGRES } from "../../../support/stores.js";
import { openTestStore } from "../../storage/open.js";

async function findKeyId(store: Store): Promise<string> {
  return (await store.read.selectFrom("api_keys").select("id").executeTakeFirstOrThrow()).id;
}

test("a valid key returns its principal, with the scheme in any case", async () => {
  const store = await openTestStore();
  const { key, workspaceId } = await createKeyAsOperator(store, { workspaceName: "Acme", plan: "pro" });
  const authenticate = createAuthenticator(store);
  const principal = {
    userId: await findKeyId(store),
    workspaceId,
    workspaceName: "Acme",
    plan: "pro",
    requestLimit: 1000,
    readOnly: false,
    countedBytes: 0,
    writtenBytes: 0,
  };
  for (const header of [`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key} `]) {
    expect(await authenticate(header)).toEqual(principal);
  }
});

test("any other header returns no principal", async () => {
  const store = await openTestStore();
  const { key } = await createKeyAsOperator(store, { workspaceName: "Acme" });
  const authenticate = createAuthenticator(store);
  for (const header of [
    undefined,
    "",
    key,
    "Bearer",
    "Bearer ",
    `Bearer${key}`,
    `Basic ${key}`,
    `Bearer ${key} ${key}`,
    `Bearer ${key}x`,
    `Bearer ${generateKey()}`,
    `Token Bearer ${key}`,
  ]) {
    expect(await authenticate(header), header).toBeUndefined();
  }
});

test("concurrent requests with one key share one lookup", async () => {
  const store = await openTestStore();
  const { key } = await createKeyAsOperator(store, { workspaceName: "Acme" });
  const authenticate = createAuthenticator(store);
  const found = await Promise.all(Array.from({ length: 50 }, () => authenticate(`Bearer ${key}`)));
  expect(found[0]).toBeDefined();
  // Each lookup creates a new object.
  expect(new Set(found).size).toBe(1);
});

test("a revoked key stops working within a second, in every process", async () => {
  const store = await openTestStore();
  const { key } = await createKeyAsOperator(store, { workspaceName: "Acme" });
  freezeClock();
  const processes = [createAuthenticator(store), createAuthenticator(store)];
  for (const authenticate of processes) expect(await authenticate(`Bearer ${key}`)).toBeDefined();
  await revokeKeyAsOperator(store, await findKeyId(store));
  vi.advanceTimersByTime(1000);
  for (const authenticate of processes) expect(await authenticate(`Bearer ${key}`)).toBeUndefined();
});

test("a key stops working when it expires", async () => {
  const store = await openTestStore();
  const { key } = await createKeyAsOperator(store, { workspaceName: "Acme" });
  const expiresTime = freezeDate() + 150;
  await store.writeServiceWide((tx) =>
    tx.updateTable("api_keys").set({ expires_time: expiresTime }).execute(),
  );
  const authenticate = createAuthenticator(store);
  vi.setSystemTime(expiresTime - 1);
  expect(await authenticate(`Bearer ${key}`)).toBeDefined();
  vi.setSystemTime(expiresTime);
  expect(await authenticate(`Bearer ${key}`)).toBeUndefined();
});

test("a key with a wrong checksum costs no lookup; a valid key costs one per second", async () => {
  const store = await openTestStore();
  const { key } = await createKeyAsOperator(store, { workspaceName: "Acme" });
  freezeClock();
  const authenticate = createAuthenticator(store);
  await authenticate(`Bearer ${key}`);
  await store.close();
  // A lookup throws now.
  expect(await authenticate(`Bearer ${key}`)).toBeDefined();
  expect(await authenticate(`Bearer ps_${"0".repeat(36)}`)).toBeUndefined();
  await expect(authenticate(`Bearer ${generateKey()}`)).rejects.toThrow(/closed/);
  vi.advanceTimersByTime(1000);
  await expect(authenticate(`Bearer ${key}`)).rejects.toThrow(/closed/);
});

testUnless(NO_POSTGRES)(
  "lookups of unknown keys leave connections for reads and for other clients",
  async () => {
    const store = await openTestStore(await newPostgresDatabase());
    const { key } = await createKeyAsOperator(store, { workspaceName: "Acme" });
    const authenticate = createAuthenticator(store);
    const results = Array.from({ length: 1500 }, () =>
      authenticate(`Bearer ${generateKey()}`, () => "192.0.2.1").catch((error: unknown) => error),
    );
    expect(await store.read.selectFrom("workspaces").select("name").execute()).toEqual([{ name: "Acme" }]);
    expect(await authenticate(`Bearer ${key}`, () => "192.0.2.2")).toBeDefined();
    const refused = (await Promise.all(results)).filter((result) => result !== undefined);
    expect(refused.length).toBeGreaterThan(0);
    for (const error of refused) expect(error).toBeInstanceOf(BusyError);
  },
);

test("lookups for the networks of one customer share a turn", async () => {
  const queueLookup = createLookupQueue();
  const order: string[] = [];
  const addresses = Array.from({ length: 20 }, (_, index) => `2001:db8:1:${index}::1`);
  const results = [...addresses, "192.0.2.1"].map((address) =>
    queueLookup(address, async () => {
      order.push(address);
      await awaitTurn();
    }),
  );
  await Promise.all(results);
  expect(order.indexOf("192.0.2.1")).toBe(1);
});
