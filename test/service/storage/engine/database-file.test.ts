import { copyFileSync, renameSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { StorageUnavailableError } from "../../../../src/errors.js";
import { createDatabaseFile } from "../../../../src/storage/engine/database-file.js";
import { createTemporaryFolder } from "../../../support/temporary-folder.js";
import { openTestStore } from "../open.js";

test("a folder that appears before it is created is used", () => {
  const folder = createTemporaryFolder();
  // The part before the dots creates the folder that the whole path names.
  createDatabaseFile(`${folder}/new/../new/page-service.db`);
  expect(statSync(`${folder}/new/page-service.db`).mode & 0o777).toBe(0o600);
});

test("a database whose file was moved or replaced while it is open is not ready and refuses writes", async () => {
  const file = `${createTemporaryFolder()}/page-service.db`;
  const store = await openTestStore(file);
  const addWorkspace = (id: string) => {
    const row = { id, name: id, plan: "free", request_limit: null, created_time: 0 } as const;
    return store.writeServiceWide((tx) => tx.insertInto("workspaces").values(row).execute());
  };
  const expectRefusal = async (id: string): Promise<void> => {
    await expect(store.ping()).rejects.toThrow(/page-service.db was deleted, moved or replaced/);
    await expect(addWorkspace(id)).rejects.toThrow(StorageUnavailableError);
  };
  await addWorkspace("before");
  renameSync(file, `${file}.moved`);
  await expectRefusal("deleted");
  copyFileSync(`${file}.moved`, file);
  await expectRefusal("replaced");
  renameSync(`${file}.moved`, file);
  await store.ping();
  await addWorkspace("after");
  const rows = await store.read.selectFrom("workspaces").select("id").orderBy("id").execute();
  expect(rows.map(({ id }) => id)).toEqual(["after", "before"]);
});
