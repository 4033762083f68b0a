import { rmSync, statSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { createDatabaseFile } from "../../../../src/storage/engine/database-file.js";
import { openStore } from "../../../../src/storage/engine/open-store.js";
import { createTemporaryFolder } from "../../../support/temporary-folder.js";

test("a folder that appears before it is created is used", () => {
  const folder = createTemporaryFolder();
  // The part before the dots creates the folder that the whole path names.
  createDatabaseFile(`${folder}/new/../new/page-service.db`);
  expect(statSync(`${folder}/new/page-service.db`).mode & 0o777).toBe(0o600);
});

test("a database whose file was deleted while it is open is not ready", async () => {
  const file = `${createTemporaryFolder()}/page-service.db`;
  const store = await openStore(file);
  onTestFinished(() => store.close());
  await store.ping();
  rmSync(file);
  await expect(store.ping()).rejects.toThrow(/ENOENT/);
});
