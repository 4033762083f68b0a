import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { MAX_TRASH_ROOTS_PER_READ } from "../../../../src/budgets.js";
import { newId } from "../../../../src/domain/ids.js";
import { startDeletion } from "../../../../src/operations/jobs/permanent-deletion.js";
import { runDueJobs } from "../../../../src/operations/jobs/run-due-jobs.js";
import { Scopes } from "../../../../src/operations/scope.js";
import { insertPage } from "../../../../src/storage/pages.js";
import type { StorageScope } from "../../../../src/storage/tables.js";
import { freezeDate } from "../../../support/clock.js";
import { emptyPage } from "../../../support/objects.js";
import { createPrincipal, URLS } from "../../../support/scope.js";
import { addDatabase } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";
import { failTest } from "../long-writes/filled-service.js";

test("the trash is emptied of all that is in it, but not of what is moved there later in the same millisecond", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const now = freezeDate();
  const addToTrash = async (scope: StorageScope): Promise<string> => {
    const id = newId();
    const trashed = { id, inTrash: true, trashRoot: id, lastEditedTime: Date.now() };
    await insertPage(scope, emptyPage(databaseId, trashed));
    return id;
  };
  await store.write(workspaceId, async (scope) => {
    for (let count = 0; count <= MAX_TRASH_ROOTS_PER_READ; count += 1) await addToTrash(scope);
  });
  let start = (): void => {};
  const started = new Promise<void>((resolve) => (start = resolve));
  const emptying = store.write(workspaceId, ({ db }) => {
    const options = { conversionJob: undefined, jobs: [] };
    const scope = new Scopes(store, URLS).createWriteScope(createPrincipal(workspaceId), db, options);
    start();
    return startDeletion(scope, undefined);
  });
  const moving = store.write(workspaceId, addToTrash);
  // The deletion must have read the clock before the clock advances.
  await started;
  await sleep(200);
  vi.setSystemTime(now + 1);
  expect(await emptying).toBe(false);
  const laterId = await moving;
  await runDueJobs(store, { isForeground: false, isStopped: () => false, onError: failTest });
  expect(await store.read.selectFrom("pages").select("id").execute()).toEqual([{ id: laterId }]);
});
