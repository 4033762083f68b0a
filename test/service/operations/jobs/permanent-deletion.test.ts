import { expect, test, vi } from "vitest";
import { MAX_TRASH_ROOTS_PER_READ } from "../../../../src/budgets.js";
import { createBlocks } from "../../../../src/domain/blocks/block.js";
import { newId } from "../../../../src/domain/ids.js";
import { emptyTrash } from "../../../../src/operations/empty-trash.js";
import { runDueJobs } from "../../../../src/operations/jobs/run-due-jobs.js";
import type { WriteScope } from "../../../../src/operations/execution/scope.js";
import { updateBlock } from "../../../../src/operations/update-block.js";
import { updatePage } from "../../../../src/operations/update-page.js";
import { insertBlocks } from "../../../../src/storage/blocks/blocks.js";
import { insertJob } from "../../../../src/storage/jobs.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { freezeDate } from "../../../support/clock.js";
import { emptyPage } from "../../../support/objects.js";
import { runUseCase, runUseCaseWithJobs } from "../../../support/scope.js";
import { addDatabase, addNestedBlocks, EDIT } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";
import { failTest } from "../long-writes/filled-service.js";

test.each([0, -1000])(
  "a job that empties the trash deletes all that was in it, but not what moves there when the clock has advanced by %i ms",
  async (elapsedMs) => {
    const store = await openTestStore();
    const { workspaceId, databaseId } = await addDatabase(store);
    const now = freezeDate();
    const laterId = newId();
    const paragraph = { type: "paragraph", content: { rich_text: [] }, children: [] } as const;
    const blocks = createBlocks([paragraph], { type: "page_id", id: laterId }, laterId, EDIT);
    const laterBlockId = blocks[0]?.block.id ?? "";
    await store.write(workspaceId, async (scope) => {
      await insertPage(scope, emptyPage(databaseId, { id: laterId }));
      await insertBlocks(scope, laterId, blocks, undefined);
      for (let count = 0; count <= 2 * MAX_TRASH_ROOTS_PER_READ; count += 1) {
        const id = newId();
        const trashed = { id, inTrash: true, trashRoot: id, lastEditedTime: now };
        await insertPage(scope, emptyPage(databaseId, trashed));
      }
    });
    const write = <T>(run: (scope: WriteScope) => Promise<T>): Promise<T> =>
      runUseCaseWithJobs(store, workspaceId, run);
    const actor = { type: "account", id: null, name: "Ada" } as const;
    expect(await write((scope) => emptyTrash(scope, actor))).toBe(false);
    vi.setSystemTime(now + elapsedMs);
    const change = { in_trash: true, paragraph: { rich_text: [{ text: { content: "Changed" } }] } };
    await write((scope) => updateBlock(scope, laterBlockId, change));
    await write((scope) => updatePage(scope, laterId, { in_trash: true }));
    await runDueJobs(store, { isForeground: false, isStopped: () => false, onError: failTest });
    expect(await store.read.selectFrom("pages").select("id").execute()).toEqual([{ id: laterId }]);
    expect(await store.read.selectFrom("blocks").select("id").execute()).toEqual([{ id: laterBlockId }]);
  },
);

test("emptying the trash also deletes what moved there by a clock that is ahead", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const id = newId();
  const trashed = { id, inTrash: true, trashRoot: id, lastEditedTime: Date.now() + 60_000 };
  await store.write(workspaceId, (scope) => insertPage(scope, emptyPage(databaseId, trashed)));
  const actor = { type: "account", id: null, name: "Ada" } as const;
  expect(await runUseCase(store, workspaceId, (scope) => emptyTrash(scope, actor))).toBe(true);
  expect(await store.read.selectFrom("pages").select("id").execute()).toEqual([]);
});

test("emptying the trash also deletes a block that moved there by a clock that is ahead", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const { blockIds } = await addNestedBlocks(store, workspaceId, databaseId, 1);
  const now = freezeDate();
  vi.setSystemTime(now + 60_000);
  await runUseCase(store, workspaceId, (scope) => updateBlock(scope, blockIds[0] ?? "", { in_trash: true }));
  vi.setSystemTime(now);
  const actor = { type: "account", id: null, name: "Ada" } as const;
  expect(await runUseCase(store, workspaceId, (scope) => emptyTrash(scope, actor))).toBe(true);
  expect(await store.read.selectFrom("blocks").select("id").execute()).toEqual([]);
});

test("an object that a job deletes permanently cannot be restored", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const id = newId();
  await store.write(workspaceId, async (scope) => {
    await insertPage(scope, emptyPage(databaseId, { id, inTrash: true, trashRoot: id }));
    await insertJob(scope, { kind: "delete_permanently", objectId: id });
  });
  const restored = runUseCase(store, workspaceId, (scope) => updatePage(scope, id, { in_trash: false }));
  await expect(restored).rejects.toMatchObject({ kind: "not_found" });
});

test("while a job that empties the trash waits, emptying it again adds neither a job nor an entry of the log", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const now = freezeDate();
  const addTrashedPages = (count: number): Promise<void> =>
    store.write(workspaceId, async (scope) => {
      for (let index = 0; index < count; index += 1) {
        const id = newId();
        const trashed = { id, inTrash: true, trashRoot: id, lastEditedTime: Date.now() };
        await insertPage(scope, emptyPage(databaseId, trashed));
      }
    });
  await addTrashedPages(MAX_TRASH_ROOTS_PER_READ + 1);
  const actor = { type: "account", id: null, name: "Ada" } as const;
  const empty = () => runUseCase(store, workspaceId, (scope) => emptyTrash(scope, actor));
  expect(await empty()).toBe(false);
  vi.setSystemTime(now + 1000);
  await addTrashedPages(1);
  expect(await empty()).toBe(false);
  const pages = await store.read.selectFrom("pages").select("id").execute();
  expect(await store.read.selectFrom("jobs").select(["created_time", "done_count"]).execute()).toEqual([
    { created_time: now + 1000, done_count: MAX_TRASH_ROOTS_PER_READ + 2 - pages.length },
  ]);
  expect(await store.read.selectFrom("audit_events").select("action").execute()).toHaveLength(1);
  await runDueJobs(store, { isForeground: false, isStopped: () => false, onError: failTest });
  expect(await store.read.selectFrom("pages").select("id").execute()).toEqual([]);
});
