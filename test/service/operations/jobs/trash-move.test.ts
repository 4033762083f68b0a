import { expect, test } from "vitest";
import { MAX_MOVED_OBJECTS } from "../../../../src/budgets.js";
import { createPageObject } from "../../../../src/domain/page.js";
import { updateDatabase } from "../../../../src/operations/update-database.js";
import { updatePage } from "../../../../src/operations/update-page.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import { insertJob } from "../../../../src/storage/jobs.js";
import { findPageVersions, insertPage } from "../../../../src/storage/pages/pages.js";
import { insertBlocks } from "../../../../src/storage/blocks/blocks.js";
import { moveContents, moveRoot } from "../../../../src/storage/trash/trash.js";
import type { ObjectGroup } from "../../../../src/storage/trash/walk-trees.js";
import { newId } from "../../../../src/domain/ids.js";
import { plainRun } from "../../../support/objects.js";
import { runUseCaseWithJobs } from "../../../support/scope.js";
import { addDatabase, EDIT } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";
import { fillPages, finishJobs } from "../long-writes/filled-service.js";

test("each batch of a move changes the versions of the pages whose blocks it moves", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const page = createPageObject({ type: "workspace" }, {}, {}, EDIT);
  const toBlock = (content: string) => ({
    block: {
      ...page,
      id: newId(),
      parent: { type: "page_id" as const, id: page.id },
      pageId: page.id,
      type: "paragraph" as const,
      content: { rich_text: [plainRun(content)] },
    },
    children: [],
  });
  await store.write(workspaceId, async (scope) => {
    await insertPage(scope, page);
    await insertBlocks(scope, page.id, ["a", "b", "c"].map(toBlock), undefined);
  });
  const readVersion = async () => (await findPageVersions({ db: store.read, workspaceId }, page.id))?.version;
  for (const toTrash of [true, false]) {
    const move = { rootId: page.id, toTrash };
    await store.write(workspaceId, (scope) => moveRoot(scope, move, "page", EDIT));
    const before = (await readVersion()) ?? 0;
    // Each batch moves at most one block.
    let groups: readonly ObjectGroup[] = [[{ id: page.id, kind: "page" }]];
    while (groups.length > 0) {
      const current = groups;
      const { remainingGroups } = await store.write(workspaceId, (scope) =>
        moveContents(scope, move, current, { count: 1, bytes: Infinity }),
      );
      groups = remainingGroups;
    }
    expect(await readVersion()).toBe(before + 3);
  }
});

test("an object is not moved while an object around it, or in it, is being moved", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const outer = createPageObject({ type: "workspace" }, {}, {}, EDIT);
  const moving = createPageObject({ type: "page_id", id: outer.id }, {}, {}, EDIT);
  const inner = createPageObject({ type: "page_id", id: moving.id }, {}, {}, EDIT);
  const other = createPageObject({ type: "page_id", id: outer.id }, {}, {}, EDIT);
  await store.write(workspaceId, async (scope) => {
    for (const page of [outer, moving, inner, other]) await insertPage(scope, page);
    await insertJob(scope, { kind: "move_to_trash", objectId: moving.id });
  });
  const move = (id: string) =>
    runUseCaseWithJobs(store, workspaceId, (scope) => updatePage(scope, id, { in_trash: true }));
  for (const { id } of [outer, moving, inner]) {
    await expect(move(id)).rejects.toMatchObject({ kind: "conflict" });
  }
  expect((await move(other.id)).body.in_trash).toBe(true);
});

test("a request that has moved an object succeeds although its job fails, which another process finishes", async () => {
  const store = await openTestStore();
  const { workspaceId } = await addDatabase(store);
  const { databaseId } = await fillPages(store, workspaceId, MAX_MOVED_OBJECTS + 1);
  let writes = 0;
  const failing: Store = {
    ...store,
    write(id, run) {
      writes += 1;
      return writes === 1 ? store.write(id, run) : Promise.reject(new Error("The disk is full."));
    },
  };
  const { in_trash: isInTrash } = await runUseCaseWithJobs(failing, workspaceId, (scope) =>
    updateDatabase(scope, databaseId, { in_trash: true }),
  );
  expect([isInTrash, writes]).toEqual([true, 2]);
  const readOutside = () => store.read.selectFrom("pages").select("id").where("in_trash", "=", 0).execute();
  expect(await readOutside()).not.toEqual([]);
  await finishJobs(store);
  expect(await readOutside()).toEqual([]);
});
