import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { inviteToWorkspace, readInvitation } from "../../../../src/access/workspaces/invitations.js";
import { createAuthenticator } from "../../../../src/access/keys/authenticate.js";
import {
  addMember,
  isMember,
  listMembers,
  listMemberships,
} from "../../../../src/access/workspaces/members.js";
import { createAccountWorkspace } from "../../../../src/access/workspaces/new-workspace.js";
import { createKeyAsOperator, listKeys } from "../../../../src/access/keys/operator-keys.js";
import { createPerson } from "../../../../src/access/workspaces/people.js";
import { beginSession, continueSession } from "../../../../src/access/accounts/sessions.js";
import {
  createWorkspace,
  listWorkspaceAuditEvents,
  listWorkspaces,
  renameWorkspace,
  requireWorkspace,
  startWorkspaceDeletion,
} from "../../../../src/access/workspaces/workspaces.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import { runJob } from "../../../../src/operations/jobs/run-job.js";
import { findDatabase, findFirstDatabaseId } from "../../../../src/storage/databases/databases.js";
import { exportDatabase } from "../../../../src/storage/transfer/export.js";
import type { Db } from "../../../../src/storage/tables.js";
import { findUser } from "../../../../src/storage/users.js";
import { createAccount } from "../../../support/accounts.js";
import { reusableStores } from "../../../support/stores.js";
import { createTemporaryPath, openTestStore } from "../../storage/open.js";

test.for(reusableStores)(
  "a workspace is deleted after the service-wide writes that have found it, on %s",
  async ([, newLocation]) => {
    const store = await openTestStore(await newLocation());
    await createWorkspace(store, "Teas");
    const deletion = await store.writeServiceWide(async (tx) => {
      const started = startWorkspaceDeletion(store, "Teas");
      // Long enough for a transaction that does not wait for this one.
      await sleep(300);
      await requireWorkspace(tx, "Teas");
      return { started };
    });
    await deletion.started;
    expect(await listWorkspaces(store)).toEqual([]);
  },
);

test.each<[string, (store: Store) => Promise<unknown>]>([
  [
    "person",
    (store) => createPerson(store, { workspaceName: "Teas", name: "Ada", email: "ada@example.org" }),
  ],
  ["invitation", (store) => inviteToWorkspace(store, "Teas", "member")],
])("a workspace that is deleted in the meantime gets no %s", async (_, add) => {
  const store = await openTestStore();
  await createWorkspace(store, "Teas");
  const afterDeletion = async () => void (await startWorkspaceDeletion(store, "Teas"));
  const racing: Store = {
    ...store,
    write: (workspaceId, job) => afterDeletion().then(() => store.write(workspaceId, job)),
    writeServiceWide: (job) => afterDeletion().then(() => store.writeServiceWide(job)),
  };
  await expect(add(racing)).rejects.toThrow('There is no workspace "Teas".');
});

test("renames no other workspace, and records the old and the new name", async () => {
  const store = await openTestStore();
  const { id } = await createWorkspace(store, "Teas");
  await createWorkspace(store, "Coffees");
  await renameWorkspace(store, "Teas", "Old teas");
  expect((await listWorkspaces(store)).map(({ name }) => name)).toEqual(["Old teas", "Coffees"]);
  expect(await listWorkspaceAuditEvents(store, "Old teas", 10)).toMatchObject([
    { action: "workspace.renamed", subjectId: id, subjectName: "Teas", detail: "to Old teas" },
  ]);
});

test("a workspace cannot have an id as its name", async () => {
  const store = await openTestStore();
  const { id } = await createWorkspace(store, "Teas");
  const message = "The name of the workspace is an ID. Choose a name that people recognize.";
  await expect(createWorkspace(store, id)).rejects.toThrow(message);
  await expect(renameWorkspace(store, "Teas", id.toUpperCase())).rejects.toThrow(message);
});

test("a workspace is found by its id, unless another one has this id as its name", async () => {
  const store = await openTestStore();
  const { workspaceId: id, rootDatabaseId } = await createKeyAsOperator(store, { workspaceName: "Teas" });
  const other = await createWorkspace(store, "Coffees");
  for (const text of [id, id.toUpperCase(), id.replaceAll("-", "")])
    expect(await listKeys(store, text)).toMatchObject([{ workspaceName: "Teas" }]);
  const request = { workspaceName: id, createWorkspace: false };
  expect(await createKeyAsOperator(store, request)).toMatchObject({ workspaceId: id, rootDatabaseId });
  await renameWorkspace(store, id, "Old teas");
  expect(await listWorkspaceAuditEvents(store, id, 1)).toMatchObject([{ subjectName: "Teas" }]);

  // As after the import of a workspace with such a name.
  await store.writeServiceWide((tx) =>
    tx.updateTable("workspaces").set({ name: id }).where("id", "=", other.id).execute(),
  );
  const message = `Several workspaces match "${id}": "Old teas" (${id}), "${id}" (${other.id}).`;
  await expect(requireWorkspace(store.read, id)).rejects.toThrow(message);
  await expect(startWorkspaceDeletion(store, id)).rejects.toThrow(message);
  await expect(createKeyAsOperator(store, { workspaceName: id })).rejects.toThrow(message);
  expect((await requireWorkspace(store.read, other.id)).id).toBe(other.id);
  expect((await requireWorkspace(store.read, "Old teas")).id).toBe(id);
});

test("a workspace that is being deleted is not found by its id", async () => {
  const location = createTemporaryPath();
  const store = await openTestStore(location);
  const { id } = await createWorkspace(store, "Teas");
  await startWorkspaceDeletion(store, "Teas");
  await expect(startWorkspaceDeletion(store, id)).rejects.toThrow(`There is no workspace "${id}".`);
  await expect(createKeyAsOperator(store, { workspaceName: id })).rejects.toThrow("is an ID");
  const findWorkspace = (db: Db) => requireWorkspace(db, id);
  const exporting = exportDatabase(location, { findWorkspace, programVersion: "1.0.0" }).next();
  await expect(exporting).rejects.toThrow("There is no workspace");
});

test("the author of a new workspace's database is a user of the workspace", async () => {
  const store = await openTestStore();
  const { id } = await createWorkspace(store, "Teas");
  const scope = { db: store.read, workspaceId: id };
  const database = await findDatabase(scope, (await findFirstDatabaseId(scope)) ?? "");
  expect(await findUser(scope, database?.createdBy ?? "")).toMatchObject({
    type: "bot",
    name: "Operator",
  });
});

test("all access to a workspace ends when its deletion starts, before its keys and members are deleted", async () => {
  const store = await openTestStore();
  const { key, workspaceId } = await createKeyAsOperator(store, { workspaceName: "Teas" });
  const invitation = await inviteToWorkspace(store, "Teas", "member");
  const ada = await createAccount(store, "Ada");
  const sessionToken = await store.writeServiceWide(async (tx) => {
    await addMember({ db: tx, workspaceId }, ada, "owner");
    return (await beginSession(tx, ada, workspaceId)).sessionToken;
  });
  const readAccess = async () => [
    await createAuthenticator(store)(`Bearer ${key}`),
    await continueSession(store, sessionToken),
    await readInvitation(store, invitation),
    (await isMember(store, workspaceId, ada.id)) || undefined,
    (await listMemberships(store, ada.id))[0],
    (await listMembers(store, workspaceId, undefined, 1))[0],
  ];
  const countRows = async (): Promise<number> => {
    let count = 0;
    for (const table of ["api_keys", "invitations", "members", "sessions"] as const)
      count += (await store.read.selectFrom(table).select("workspace_id").execute()).length;
    return count;
  };
  expect(await readAccess()).not.toContain(undefined);
  const { job } = await startWorkspaceDeletion(store, "Teas");
  expect(job).toMatchObject({ kind: "delete_workspace", objectId: workspaceId });
  expect(await readAccess()).toEqual(Array.from({ length: 6 }));
  // All others wait for the first transaction, so it deletes none of the rows, of which a workspace can have very many.
  expect(await countRows()).toBe(4);
  await runJob(store, job);
  expect(await countRows()).toBe(0);
});

test("a new workspace with a name that many others have does not search all of their numbers", async () => {
  const store = await openTestStore();
  const names = await store.writeServiceWide(async (tx) => {
    const created = [];
    for (let count = 0; count < 30; count += 1)
      created.push(await createAccountWorkspace(tx, "Teas", "person"));
    return created.map(({ name }) => name);
  });
  expect(new Set(names).size).toBe(30);
  const counted = [2, 3, 4, 5, 6, 7, 8, 9].map((suffix) => `Teas ${suffix}`);
  expect(names.slice(0, 9)).toEqual(["Teas", ...counted]);
  expect(names).not.toContain("Teas 30");
});
