import { statSync } from "node:fs";
import { expect, test } from "vitest";
import { createDatabaseFile } from "../../../../src/storage/engine/database-file.js";
import { createTemporaryFolder } from "../../../support/temporary-folder.js";

test("a folder that appears before it is created is used", () => {
  const folder = createTemporaryFolder();
  // The part before the dots creates the folder that the whole path names.
  createDatabaseFile(`${folder}/new/../new/page-service.db`);
  expect(statSync(`${folder}/new/page-service.db`).mode & 0o777).toBe(0o600);
});
