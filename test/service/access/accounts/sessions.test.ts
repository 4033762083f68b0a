import { describe, expect, test } from "vitest";
import {
  beginSession,
  continueSession,
  endSession,
  switchWorkspace,
} from "../../../../src/access/accounts/sessions.js";
import { signIn } from "../../../../src/access/accounts/sign-in.js";
import { MAX_SESSIONS_PER_ACCOUNT } from "../../../../src/budgets.js";
import { newId } from "../../../../src/domain/ids.js";
import { insertMember } from "../../../../src/storage/access/accounts.js";
import { deleteOldestSessions } from "../../../../src/storage/access/sessions.js";
import { hashToken } from "../../../../src/access/accounts/tokens.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import { reusableStores } from "../../../support/stores.js";
import { createAccount } from "../../../support/accounts.js";
import { PASSWORD } from "../../../support/visitor.js";
import { addDatabase } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";

async function findHashes(store: Store, accountId: string): Promise<string[]> {
  const sessions = store.read.selectFrom("sessions").select("hash").where("account_id", "=", accountId);
  return (await sessions.execute()).map(({ hash }) => hash);
}

describe.each(reusableStores)("sessions on %s", (_, newLocation) => {
  test("an account keeps its newest ones", async () => {
    const store = await openTestStore(await newLocation());
    const begin = async (id: string) =>
      (await store.writeServiceWide((tx) => beginSession(tx, { id, passwordHash: "" }, "w"))).sessionToken;
    await begin("other");
    const first = await begin("ada");
    await store.writeServiceWide((tx) => tx.updateTable("sessions").set("created_time", 1).execute());
    for (let count = 1; count < MAX_SESSIONS_PER_ACCOUNT; count += 1) await begin("ada");
    expect(await findHashes(store, "ada")).toContain(hashToken(first));
    const last = await begin("ada");
    const hashes = await findHashes(store, "ada");
    expect(hashes).toHaveLength(MAX_SESSIONS_PER_ACCOUNT);
    expect(hashes).toContain(hashToken(last));
    expect(hashes).not.toContain(hashToken(first));
    expect(await findHashes(store, "other")).toHaveLength(1);
    await store.writeServiceWide((tx) => deleteOldestSessions(tx, "ada", MAX_SESSIONS_PER_ACCOUNT - 2));
    expect(await findHashes(store, "ada")).toHaveLength(MAX_SESSIONS_PER_ACCOUNT - 2);
  });

  test("sign-ins, sign-outs and changes of the workspace keep the cached responses of all workspaces", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId } = await addDatabase(store);
    const account = await createAccount(store, "Ada");
    await store.writeServiceWide((db) => insertMember({ db, workspaceId }, account.id, "member", 0));
    const bob = await createAccount(store, "Bob");
    const generation = store.getGeneration(workspaceId);
    const form = { password: PASSWORD, invitationToken: undefined };
    const context = { registration: "open", client: { key: "client", isKnown: false } } as const;
    const tokens = await signIn(store, account, form, {
      ...context,
      checkRateLimit: () => Promise.reject(new Error("creates no workspace")),
    });
    const token = tokens?.sessionToken ?? "";
    const session = await continueSession(store, token);
    if (session === undefined) throw new Error("no session");
    await switchWorkspace(store, session, newId());
    await endSession(store, token);
    expect(await continueSession(store, token)).toBe(undefined);
    expect(store.getGeneration(workspaceId)).toBe(generation);
    // A sign-in can also create or change a workspace. PostgreSQL has no generations.
    await signIn(store, bob, form, { ...context, checkRateLimit: async () => {} });
    expect(store.getGeneration(workspaceId) === generation).toBe(generation === undefined);
  });
});
