import type { KyselyPlugin } from "kysely";
import { expect, test } from "vitest";
import {
  createInvitation,
  listInvitations,
  readInvitation,
  withdrawInvitation,
} from "../../../../src/access/workspaces/invitations.js";
import { listAuditEvents, OPERATOR } from "../../../../src/access/audit.js";
import { createKey } from "../../../../src/access/keys/keys.js";
import {
  createKeyAsMember,
  revokeKeyAsMember,
  rotateKeyAsMember,
} from "../../../../src/access/keys/member-keys.js";
import {
  acceptInvitation,
  addMember,
  isMember,
  listMembers,
  listMemberships,
  removeMember,
  renameAccount,
  hasKeysOfFormerMembers,
  revokeKeysOfFormerMembers,
} from "../../../../src/access/workspaces/members.js";
import type { Session } from "../../../../src/access/accounts/sessions.js";
import { MAX_REVOKED_KEYS, MAX_SETTINGS_ROWS } from "../../../../src/budgets.js";
import type { TimePosition } from "../../../../src/domain/cursor.js";
import { newId } from "../../../../src/domain/ids.js";
import {
  deleteMember,
  findMembers,
  insertAccount,
  insertMember,
} from "../../../../src/storage/access/accounts.js";
import { findKeys } from "../../../../src/storage/access/keys.js";
import { insertWorkspace } from "../../../../src/storage/access/workspaces.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import type { StorageScope } from "../../../../src/storage/tables.js";
import { findPersonByEmail, findUserNames, insertUser } from "../../../../src/storage/users.js";
import { explain } from "../../../support/explain.js";
import { reusableStores } from "../../../support/stores.js";
import { addDatabase } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";

async function createAccount(store: Store, name: string) {
  const account = { id: newId(), name, email: `${name}@example.com`, passwordHash: "", createdTime: 0 };
  await store.writeServiceWide((tx) => insertAccount(tx, account));
  return account;
}

test.for(reusableStores)(
  "the keys of a removed member are revoked in several transactions, on %s",
  async ([, newLocation]) => {
    const store = await openTestStore(await newLocation());
    const { workspaceId } = await addDatabase(store);
    const [ada, ben] = [await createAccount(store, "Ada"), await createAccount(store, "Ben")];
    const count = 2 * MAX_REVOKED_KEYS + 10;
    await store.write(workspaceId, async (scope) => {
      await addMember(scope, ada, "owner");
      await addMember(scope, ben, "owner");
      const options = { name: "Key", access: "full", expiresTime: null } as const;
      for (const { id, name } of [ada, ben]) {
        for (let index = 0; index < count; index += 1) {
          await createKey(scope, options, { type: "account", id, name });
        }
      }
    });
    const session = { workspaceId, accountId: ada.id, accountName: ada.name };
    let transactions = 0;
    const counting: Store = {
      ...store,
      write(id, job) {
        transactions += 1;
        return store.write(id, job);
      },
    };
    await removeMember(counting, session, ben.id, true);
    expect(transactions).toBe(4);
    const keys = await findKeys(store.read, workspaceId);
    const revoked = keys.filter(({ revokedTime }) => revokedTime !== null);
    expect(revoked.map(({ createdBy }) => createdBy)).toEqual(Array.from({ length: count }, () => ben.id));
    const cid = await createAccount(store, "Cid");
    await store.write(workspaceId, (scope) => addMember(scope, cid, "member"));
    await expect(removeMember(store, session, ada.id, true)).rejects.toThrow("at least one owner");
  },
);

test("removing a member revokes no keys of other former members, and no expired keys", async () => {
  const store = await openTestStore();
  const { workspaceId } = await addDatabase(store);
  const [ada, ben, eve] = await Promise.all(["Ada", "Ben", "Eve"].map((name) => createAccount(store, name)));
  if (!ada || !ben || !eve) throw new Error("An account is missing.");
  await store.write(workspaceId, async (scope) => {
    await addMember(scope, ada, "owner");
    for (const { id, name, email } of [ben, eve]) {
      await addMember(scope, { id, name, email }, "member");
      const actor = { type: "account", id, name } as const;
      await createKey(scope, { name, access: "full", expiresTime: null }, actor);
      await createKey(scope, { name: `${name}, expired`, access: "full", expiresTime: null }, actor);
    }
    const keys = scope.db.updateTable("api_keys").set({ expires_time: 1 });
    await keys.where("name", "like", "%expired").execute();
  });
  const session = { workspaceId, accountId: ada.id, accountName: ada.name };
  await removeMember(store, session, ben.id, false);
  await removeMember(store, session, eve.id, true);
  const keys = await findKeys(store.read, workspaceId);
  expect(keys.map(({ name, revokedTime }) => [name, revokedTime !== null])).toEqual([
    ["Ben", false],
    ["Ben, expired", false],
    ["Eve", true],
    ["Eve, expired", false],
  ]);
  expect(await hasKeysOfFormerMembers(store, workspaceId)).toBe(true);
  await revokeKeysOfFormerMembers(store, session);
  expect(await hasKeysOfFormerMembers(store, workspaceId)).toBe(false);
});

test.for(reusableStores)(
  "the keys of all former members are revoked, and no others, on %s",
  async ([, newLocation]) => {
    const store = await openTestStore(await newLocation());
    const { workspaceId } = await addDatabase(store);
    const [ada, ben, eve] = [
      await createAccount(store, "Ada"),
      await createAccount(store, "Ben"),
      await createAccount(store, "Eve"),
    ];
    // Members of another workspace are former members here.
    const { workspaceId: otherId } = await addDatabase(store);
    await store.write(otherId, (scope) => addMember(scope, ben, "owner"));
    await store.write(workspaceId, async (scope) => {
      await addMember(scope, ada, "owner");
      const creators = [ada, ben, eve].map(({ id, name }) => ({ type: "account", id, name }) as const);
      for (const actor of [OPERATOR, ...creators, ...creators])
        await createKey(scope, { name: actor.name, access: "full", expiresTime: null }, actor);
    });
    await revokeKeysOfFormerMembers(store, { workspaceId, accountId: ada.id, accountName: ada.name });
    const keys = await findKeys(store.read, workspaceId);
    const revoked = keys.filter(({ revokedTime }) => revokedTime !== null);
    expect(revoked.map(({ name }) => name).sort()).toEqual(["Ben", "Ben", "Eve", "Eve"]);
    expect(keys).toHaveLength(7);
  },
);

test.for(reusableStores)("the members of a workspace are listed in parts, on %s", async ([, newLocation]) => {
  const store = await openTestStore(await newLocation());
  const { workspaceId } = await addDatabase(store);
  const { workspaceId: otherId } = await addDatabase(store);
  const ids: string[] = [];
  for (const name of ["Ada", "Ben", "Cid", "Dan", "Eve"]) ids.push((await createAccount(store, name)).id);
  const [ada = "", ben = "", cid = "", dan = "", eve = ""] = ids;
  const times: [string, number][] = [
    [eve, 1],
    [ada, 2],
    [ben, 2],
    [cid, 2],
    [dan, 3],
  ];
  await store.writeServiceWide(async (db) => {
    for (const [id, time] of times) await insertMember({ db, workspaceId }, id, "member", time);
    await insertMember({ db, workspaceId: otherId }, ada, "member", 2);
  });
  const listed: string[] = [];
  let last: TimePosition | undefined;
  do {
    const part = await listMembers(store, workspaceId, last, 2);
    listed.push(...part.map(({ id }) => id));
    last = part[1] && { id: part[1].id, time: part[1].createdTime };
  } while (last !== undefined);
  expect(listed).toEqual(times.map(([id]) => id));
});

test("a part of the members is read from an index, because a workspace can have very many", async () => {
  const store = await openTestStore();
  const read = (after: TimePosition | undefined) =>
    explain(store.read, (db) => findMembers({ db, workspaceId: "a workspace" }, after, 10));
  const [first, next] = [await read(undefined), await read({ id: "an account", time: 1 })];
  for (const plan of [first, next]) expect(plan).not.toContain("USE TEMP B-TREE");
  expect(next).toContain("INDEX members_by_time (workspace_id=? AND (created_time,account_id)>(?,?))");
});

test("a person in very many workspaces sees the first ones, and is a member of all", async () => {
  const store = await openTestStore();
  const ada = await createAccount(store, "Ada");
  const ids = Array.from({ length: MAX_SETTINGS_ROWS + 1 }, newId);
  await store.writeServiceWide(async (db) => {
    for (const id of ids) {
      const workspace = {
        id,
        name: `Workspace ${id}`,
        plan: "free",
        customRequestLimit: null,
        createdTime: 0,
      } as const;
      await insertWorkspace(db, workspace);
      await addMember({ db, workspaceId: id }, ada, "member");
    }
  });
  expect(await listMemberships(store, ada.id)).toHaveLength(MAX_SETTINGS_ROWS);
  for (const id of ids.slice(-2)) expect(await isMember(store, id, ada.id)).toBe(true);
  expect(await isMember(store, newId(), ada.id)).toBe(false);
});

test.for(reusableStores)(
  "an account is renamed in very many workspaces with few statements, on %s",
  async ([, newLocation]) => {
    const store = await openTestStore(await newLocation());
    const ada = await createAccount(store, "Ada");
    const ben = await createAccount(store, "Ben");
    const ids = Array.from({ length: 250 }, newId);
    await store.writeServiceWide(async (db) => {
      for (const id of ids) {
        const plan = { plan: "free", customRequestLimit: null } as const;
        await insertWorkspace(db, { id, name: `Workspace ${id}`, ...plan, createdTime: 0 });
        await addMember({ db, workspaceId: id }, ada, "member");
        await addMember({ db, workspaceId: id }, ben, "member");
      }
    });
    // A person with the same address in a workspace that the account is not in.
    const { workspaceId: otherId } = await addDatabase(store);
    await store.write(otherId, (scope) =>
      insertUser(scope, {
        id: newId(),
        type: "person",
        name: "Ada",
        email: ada.email,
        avatarUrl: null,
        createdTime: 0,
      }),
    );
    let statements = 0;
    const counter: KyselyPlugin = {
      transformQuery({ node }) {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const counting: Store = {
      ...store,
      writeServiceWide: (callback) => store.writeServiceWide((tx) => callback(tx.withPlugin(counter))),
    };
    // The cast: the function reads no other field.
    const session = { accountId: ada.id, accountName: "Ada", email: ada.email } as Session;
    await renameAccount(counting, session, "Ada Lovelace");
    expect(statements).toBeLessThan(20);
    const users = await store.read.selectFrom("users").select(["workspace_id", "name"]).execute();
    const renamed = users.filter(({ name }) => name === "Ada Lovelace");
    expect(renamed.map((user) => user.workspace_id).sort()).toEqual(ids.sort());
    expect(users.filter(({ name }) => name === "Ben")).toHaveLength(ids.length);
    const accounts = await store.read.selectFrom("accounts").select("name").orderBy("id").execute();
    expect(accounts.map(({ name }) => name)).toEqual(["Ada Lovelace", "Ben"]);
    const log = await listAuditEvents(store, ids[0] ?? "", 1);
    expect(log).toMatchObject([
      { action: "member.renamed", subjectName: "Ada Lovelace (Ada@example.com)", detail: "from Ada" },
    ]);
  },
);

test("the user of an account is found by an index, because a workspace can have very many keys with a bot each", async () => {
  const store = await openTestStore();
  const { workspaceId } = await addDatabase(store);
  const plan = await explain(store.read, (db) => findPersonByEmail({ db, workspaceId }, "ada@example.org"));
  expect(plan).toContain("USING INDEX users_by_email (workspace_id=? AND email=?)");
});

test("an account that joins a workspace does not get the bot of a key as its user", async () => {
  const store = await openTestStore();
  const { workspaceId } = await addDatabase(store);
  const ada = await createAccount(store, "Ada");
  const options = { id: ada.id, name: "Key", access: "full", expiresTime: null } as const;
  await store.write(workspaceId, (scope) => createKey(scope, options, OPERATOR));
  await expect(store.write(workspaceId, (scope) => addMember(scope, ada, "owner"))).rejects.toThrow();
  expect(await isMember(store, workspaceId, ada.id)).toBe(false);
});

/** Creates a workspace with the owners Ada and Ben, and returns their sessions. */
async function addTwoOwners(store: Store) {
  const { workspaceId } = await addDatabase(store);
  const [ada, ben] = [await createAccount(store, "Ada"), await createAccount(store, "Ben")];
  await store.write(workspaceId, async (scope) => {
    await addMember(scope, ada, "owner");
    await addMember(scope, ben, "owner");
  });
  const [adaSession, benSession] = [ada, ben].map(({ id, name }) => ({
    workspaceId,
    accountId: id,
    accountName: name,
  }));
  if (!adaSession || !benSession) throw new Error("A session is missing.");
  return { ada: adaSession, ben: benSession };
}

test("the invitations of a removed member end, so that they do not lead the member back", async () => {
  const store = await openTestStore();
  const { ada, ben } = await addTwoOwners(store);
  const token = await createInvitation(store, ben, newId(), "owner");
  const { workspaceId } = await addDatabase(store);
  const account = { id: ben.accountId, name: ben.accountName, email: "Ben@example.com" };
  await store.write(workspaceId, (scope) => addMember(scope, account, "owner"));
  const others = [
    await createInvitation(store, ada, newId(), "owner"),
    await createInvitation(store, { ...ben, workspaceId }, newId(), "owner"),
  ];
  await removeMember(store, ada, ben.accountId, false);
  expect(await readInvitation(store, token)).toBeUndefined();
  for (const other of others) expect(await readInvitation(store, other)).toBeDefined();
});

test("a former member who joins again with another name gets it in this workspace alone", async () => {
  const store = await openTestStore();
  const ada = await createAccount(store, "Ada");
  const { workspaceId } = await addDatabase(store);
  const { workspaceId: otherId } = await addDatabase(store);
  for (const id of [workspaceId, otherId]) {
    await store.write(id, async (scope) => {
      await addMember(scope, ada, "member");
      await deleteMember(scope, ada.id);
    });
  }
  await store.write(workspaceId, (scope) => addMember(scope, { ...ada, name: "Ada Lovelace" }, "member"));
  const names = await findUserNames({ db: store.read, workspaceId }, [ada.id]);
  const otherNames = await findUserNames({ db: store.read, workspaceId: otherId }, [ada.id]);
  expect([names.get(ada.id), otherNames.get(ada.id)]).toEqual(["Ada Lovelace", "Ada"]);
});

test("a member who is removed after the request was authenticated creates and changes nothing", async () => {
  const store = await openTestStore();
  const { ada, ben } = await addTwoOwners(store);
  // The cast: the functions read `role` of members only, and no other field.
  const session = ben as Session;
  const id = newId();
  await createKeyAsMember(store, session, { id, name: "Key", access: "full", expiresTime: null });
  const invitationId = newId();
  await createInvitation(store, ada, invitationId, "member");
  await removeMember(store, ada, ben.accountId, false);
  const attempts = [
    createKeyAsMember(store, session, { id: newId(), name: "Late", access: "full", expiresTime: null }),
    rotateKeyAsMember(store, session, id, 0),
    revokeKeyAsMember(store, session, id),
    createInvitation(store, ben, newId(), "owner"),
    withdrawInvitation(store, ben, invitationId),
    removeMember(store, ben, ada.accountId, true),
    revokeKeysOfFormerMembers(store, ben),
  ];
  for (const attempt of attempts)
    await expect(attempt).rejects.toThrow("not a member of this workspace any more");
  const keys = await findKeys(store.read, ada.workspaceId);
  expect(keys.map(({ name, revokedTime }) => [name, revokedTime])).toEqual([["Key", null]]);
  expect(await listInvitations(store, ada.workspaceId, "", 10)).toMatchObject([{ id: invitationId }]);
  expect(await isMember(store, ada.workspaceId, ada.accountId)).toBe(true);
});

test("a member who joins again while being removed keeps the keys", async () => {
  const store = await openTestStore();
  const { ada, ben } = await addTwoOwners(store);
  const { id, name } = await createAccount(store, "Eve");
  const eve = { id, name, email: "Eve@example.com" };
  const scopeOf = (tx: StorageScope["db"]) => ({ db: tx, workspaceId: ada.workspaceId });
  await store.writeServiceWide(async (tx) => {
    await addMember(scopeOf(tx), eve, "member");
    const options = { name: "Key", access: "full", expiresTime: null } as const;
    await createKey(scopeOf(tx), options, { type: "account", id, name });
  });
  const token = await createInvitation(store, ben, newId(), "member");
  let writes = 0;
  const racing: Store = {
    ...store,
    async write(workspaceId, job) {
      writes += 1;
      // After the removal of the member, before the keys are revoked.
      if (writes === 2) await store.writeServiceWide((tx) => acceptInvitation(tx, eve, token));
      return store.write(workspaceId, job);
    },
  };
  await removeMember(racing, ada, id, true);
  expect(writes).toBe(2);
  expect(await isMember(store, ada.workspaceId, id)).toBe(true);
  expect(await findKeys(store.read, ada.workspaceId)).toMatchObject([{ name: "Key", revokedTime: null }]);
});

test("withdrawing an invitation that was used, and an owner's acceptance of another one, are not logged", async () => {
  const store = await openTestStore();
  const { ada, ben } = await addTwoOwners(store);
  const id = newId();
  const token = await createInvitation(store, ada, id, "owner");
  const account = { id: ben.accountId, name: ben.accountName, email: "Ben@example.com" };
  await store.writeServiceWide((tx) => acceptInvitation(tx, account, token));
  await withdrawInvitation(store, ada, id);
  const [last] = await listAuditEvents(store, ada.workspaceId, 1);
  expect(last).toMatchObject({ action: "member.invited", subjectId: id });
});

test("an invitation as owner makes only the account that accepts it an owner; one as member changes no role", async () => {
  const store = await openTestStore();
  const { ada } = await addTwoOwners(store);
  const [cid, dan] = [await createAccount(store, "Cid"), await createAccount(store, "Dan")];
  const { workspaceId: otherId } = await addDatabase(store);
  for (const id of [ada.workspaceId, otherId]) {
    await store.write(id, async (scope) => {
      for (const account of [cid, dan]) await addMember(scope, account, "member");
    });
  }
  for (const [account, role] of [
    [cid, "owner"],
    [cid, "member"],
    [dan, "member"],
  ] as const) {
    const token = await createInvitation(store, ada, newId(), role);
    await store.writeServiceWide((tx) => acceptInvitation(tx, account, token));
  }
  const readRoles = async (workspaceId: string) => {
    const members = await listMembers(store, workspaceId, undefined, 10);
    return Object.fromEntries(members.map(({ name, role }) => [name, role]));
  };
  expect(await readRoles(ada.workspaceId)).toEqual({
    Ada: "owner",
    Ben: "owner",
    Cid: "owner",
    Dan: "member",
  });
  expect(await readRoles(otherId)).toEqual({ Cid: "member", Dan: "member" });
  const events = await listAuditEvents(store, ada.workspaceId, 100);
  const promotions = events.filter(({ action }) => action === "member.promoted");
  expect(promotions.map(({ subjectId }) => subjectId)).toEqual([cid.id]);
});
