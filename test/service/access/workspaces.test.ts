import { expect, test } from "vitest";
import { inviteToWorkspace, readInvitation } from "../../../src/access/invitations.js";
import { createKeyForWorkspace } from "../../../src/access/operator-keys.js";
import { createPerson } from "../../../src/access/people.js";
import { createAccountWorkspace } from "../../../src/access/new-workspace.js";
import {
  createWorkspace,
  listWorkspaces,
  renameWorkspace,
  startWorkspaceDeletion,
} from "../../../src/access/workspaces.js";
import type { Store } from "../../../src/storage/engine/store.js";
import { findDatabase, findFirstDatabaseId } from "../../../src/storage/databases.js";
import { exportDatabase } from "../../../src/storage/transfer/export.js";
import { findUser } from "../../../src/storage/users.js";
import { createTemporaryPath, openTestStore } from "../storage/open.js";

test("deletes neither a workspace that is renamed in the meantime, nor the one that has its name then", async () => {
  const store = await openTestStore();
  await createWorkspace(store, "Teas");
  const racing: Store = {
    ...store,
    async write(workspaceId, job) {
      await renameWorkspace(store, "Teas", "Old teas");
      await createWorkspace(store, "Teas");
      return store.write(workspaceId, job);
    },
  };
  await expect(startWorkspaceDeletion(racing, "Teas")).rejects.toThrow('There is no workspace "Teas".');
  expect((await listWorkspaces(store)).map(({ name }) => name)).toEqual(["Old teas", "Teas"]);
});

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

test("renames no other workspace", async () => {
  const store = await openTestStore();
  await createWorkspace(store, "Teas");
  await createWorkspace(store, "Coffees");
  await renameWorkspace(store, "Teas", "Old teas");
  expect((await listWorkspaces(store)).map(({ name }) => name)).toEqual(["Old teas", "Coffees"]);
});

test("a workspace cannot have an id as its name", async () => {
  const store = await openTestStore();
  const { id } = await createWorkspace(store, "Teas");
  const message = "The name of the workspace is an ID. Choose a name that people recognize.";
  await expect(createWorkspace(store, id)).rejects.toThrow(message);
  await expect(renameWorkspace(store, "Teas", id.toUpperCase())).rejects.toThrow(message);
});

test("a workspace that is being deleted is not found by its id", async () => {
  const location = createTemporaryPath();
  const store = await openTestStore(location);
  const { id } = await createWorkspace(store, "Teas");
  await startWorkspaceDeletion(store, "Teas");
  await expect(startWorkspaceDeletion(store, id)).rejects.toThrow(`There is no workspace "${id}".`);
  await expect(createKeyForWorkspace(store, { workspaceName: id })).rejects.toThrow("is an ID");
  const exporting = exportDatabase(location, { workspace: id, programVersion: "1.0.0" }).next();
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

test("the invitations of a workspace end when its deletion starts", async () => {
  const store = await openTestStore();
  await createWorkspace(store, "Teas");
  const token = await inviteToWorkspace(store, "Teas", "member");
  expect(await readInvitation(store, token)).toMatchObject({ workspaceName: "Teas" });
  await startWorkspaceDeletion(store, "Teas");
  expect(await readInvitation(store, token)).toBeUndefined();
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
  expect(names.slice(0, 3)).toEqual(["Teas", "Teas 2", "Teas 3"]);
  expect(names).not.toContain("Teas 30");
});
