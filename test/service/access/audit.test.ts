import { expect, test, vi } from "vitest";
import {
  type AuditAction,
  checkAccessChangeLimit,
  getAccountActor,
  listAuditEvents,
  OPERATOR,
} from "../../../src/access/audit.js";
import { TooManyAttemptsError } from "../../../src/errors.js";
import { createInvitation } from "../../../src/access/workspaces/invitations.js";
import { newId } from "../../../src/domain/ids.js";
import { createKey, rotateKey } from "../../../src/access/keys/keys.js";
import { addMember, renameAccount } from "../../../src/access/workspaces/members.js";
import { changePassword } from "../../../src/access/accounts/password-changes.js";
import type { Session } from "../../../src/access/accounts/sessions.js";
import { MAX_ACCESS_CHANGES_PER_DAY } from "../../../src/budgets.js";
import { HOUR_MS } from "../../../src/units.js";
import { findAccount } from "../../../src/storage/access/accounts.js";
import { type Actor, insertAuditEvent } from "../../../src/storage/access/audit.js";
import { createAccount } from "../../support/accounts.js";
import { freezeDate } from "../../support/clock.js";
import { explain } from "../../support/explain.js";
import { reusableStores } from "../../support/stores.js";
import { PASSWORD } from "../../support/visitor.js";
import { addDatabase } from "../storage/fixtures.js";
import { openTestStore } from "../storage/open.js";

test.for(reusableStores)(
  "an account can create MAX_ACCESS_CHANGES_PER_DAY keys and invitations in a workspace per day, on %s",
  async ([, newLocation]) => {
    const store = await openTestStore(await newLocation());
    const { workspaceId } = await addDatabase(store);
    const { workspaceId: otherId } = await addDatabase(store);
    const account = await createAccount(store, "Ada");
    for (const id of [workspaceId, otherId])
      await store.write(id, (scope) => addMember(scope, account, "owner"));
    const [ada, ben] = [getAccountActor(account), createActor("Ben")];
    const createKeyAs = (actor: Actor) =>
      store.write(workspaceId, (scope) =>
        createKey(scope, { name: "Key", access: "full", expiresTime: null }, actor),
      );
    const { stored } = await createKeyAs(ada);
    const entry = { action: "key.rotated", subjectId: null, subjectName: "" } as const;
    await store.write(workspaceId, async (scope) => {
      for (let count = 2; count < MAX_ACCESS_CHANGES_PER_DAY; count += 1) {
        await insertAuditEvent(scope, ada, entry);
      }
      // Other actions do not count.
      await insertAuditEvent(scope, ada, { ...entry, action: "key.revoked" });
    });
    const session = { workspaceId, accountId: account.id, accountName: account.name };
    await createInvitation(store, session, newId(), "member");
    for (const create of [
      () => createKeyAs(ada),
      () => createInvitation(store, session, newId(), "member"),
      () => store.write(workspaceId, (scope) => rotateKey(scope, stored, 0, ada)),
    ]) {
      await expect(create()).rejects.toThrow(TooManyAttemptsError);
    }
    await createInvitation(store, { ...session, workspaceId: otherId }, newId(), "member");
    await createKeyAs(ben);
    await createKeyAs(OPERATOR);
    await store.writeServiceWide((tx) => tx.updateTable("audit_events").set({ time: 0 }).execute());
    await createKeyAs(ada);
  },
);

test.for(["member.renamed", "password.changed"] as const)(
  "an account can repeat %s MAX_ACCESS_CHANGES_PER_DAY times per day, whatever else it changes",
  async (action) => {
    const store = await openTestStore();
    const { workspaceId } = await addDatabase(store);
    const account = await createAccount(store, "Ada");
    await store.write(workspaceId, (scope) => addMember(scope, account, "owner"));
    const repeat = (repeated: AuditAction, count: number) =>
      store.write(workspaceId, async (scope) => {
        const entry = { action: repeated, subjectId: null, subjectName: "" };
        for (let index = 0; index < count; index += 1)
          await insertAuditEvent(scope, getAccountActor(account), entry);
      });
    // The cast: the functions read no other field.
    const session = {
      workspaceId,
      accountId: account.id,
      accountName: "Ada",
      email: account.email,
    } as Session;
    const passwords = { current: PASSWORD, new: "staple battery horse" };
    const change = () =>
      action === "member.renamed"
        ? renameAccount(store, session, "Ada Lovelace")
        : changePassword(store, session, passwords, "");
    const readAccount = () => findAccount(store.read, account.id);
    const before = await readAccount();
    const start = freezeDate();
    await repeat(action, MAX_ACCESS_CHANGES_PER_DAY);
    vi.setSystemTime(start + HOUR_MS);
    await expect(change()).rejects.toMatchObject({ name: "TooManyAttemptsError", retryAfterSeconds: 82_800 });
    expect(await readAccount()).toEqual(before);
    await store.writeServiceWide((tx) => tx.updateTable("audit_events").set({ time: 0 }).execute());
    await repeat(action, MAX_ACCESS_CHANGES_PER_DAY - 1);
    await repeat("key.created", MAX_ACCESS_CHANGES_PER_DAY);
    await change();
    expect(await readAccount()).not.toEqual(before);
  },
);

test("the newest entries of a log are listed up to a limit", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const names = ["first", "second", "third", "fourth"];
  const start = freezeDate();
  for (const [index, subjectName] of names.entries()) {
    // The clock is set back.
    vi.setSystemTime(start - index * 1000);
    const entry = { action: "key.revoked", subjectId: null, subjectName } as const;
    await store.write(workspaceId, (scope) => insertAuditEvent(scope, OPERATOR, entry));
  }
  const list = async (limit: number) =>
    (await listAuditEvents(store, workspaceId, limit)).map(({ subjectName }) => subjectName);
  expect(await list(3)).toEqual(["fourth", "third", "second"]);
  expect(await list(10)).toEqual(names.toReversed());
});

test("other entries of the log are not read to count keys and invitations", async () => {
  const store = await openTestStore();
  const { workspaceId } = await addDatabase(store);
  const plan = await explain(store.read, (db) =>
    checkAccessChangeLimit({ db, workspaceId }, createActor("Ada")),
  );
  expect(plan).toMatch(/audit_events_by_actor \(workspace_id=\? AND actor_id=\? AND action=\? AND time>\?\)/);
});

function createActor(name: string): Actor {
  return { type: "account", id: name, name };
}
