import path from "node:path";
import { expect, test } from "vitest";
import { newId } from "../../../src/domain/ids.js";
import { openStore } from "../../../src/storage/engine/open-store.js";
import { insertJob } from "../../../src/storage/jobs.js";
import { runInProcess } from "../run-in-process.js";
import { addDatabase } from "../storage/fixtures.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

test("workspaces jobs shows large changes and their progress", async () => {
  const DATA_DIR = createTemporaryFolder();
  const jobs = (...args: string[]) => runInProcess(["workspaces", "jobs", ...args], { DATA_DIR });
  const store = await openStore(path.join(DATA_DIR, "page-service.db"));
  expect(await jobs()).toMatchObject({ code: 0, stdout: "There are no jobs.\n", stderr: "" });
  const { workspaceId, workspaceName, databaseId } = await addDatabase(store);
  const common = { objectId: databaseId, propertyIds: [], createdTime: 1, owner: newId() };
  await store.write(workspaceId, async (scope) => {
    await insertJob(scope, {
      ...common,
      id: newId(),
      kind: "convert_values",
      doneCount: 400,
      totalCount: 1000,
    });
    await insertJob(scope, {
      ...common,
      id: newId(),
      kind: "move_to_trash",
      doneCount: 300,
      totalCount: null,
    });
  });
  await store.close();
  const shown = (await jobs()).stdout.replaceAll(/ +/g, " ");
  const started = "1970-01-01 00:00";
  expect(shown).toBe(
    "WORKSPACE JOB OBJECT DONE STARTED (UTC)\n" +
      `${workspaceName} converts property values ${databaseId} 400 of 1000 pages ${started}\n` +
      `${workspaceName} moves to the trash ${databaseId} 300 ${started}\n`,
  );
  expect(JSON.parse((await jobs("--json")).stdout)).toMatchObject([
    { workspace: workspaceName, job: "convert_values", object_id: databaseId, done: 400, total: 1000 },
    { job: "move_to_trash", done: 300, total: null },
  ]);
});
