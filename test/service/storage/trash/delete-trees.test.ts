import { expect, test } from "vitest";
import { createBlocks } from "../../../../src/domain/blocks/block.js";
import { newId } from "../../../../src/domain/ids.js";
import { createPageObject } from "../../../../src/domain/page.js";
import { appendToPage, insertBlocks } from "../../../../src/storage/blocks/blocks.js";
import { recordPageToReconvert } from "../../../../src/storage/databases/conversions.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { insertPropertyValues } from "../../../../src/storage/pages/property-values.js";
import { findPage } from "../../../support/pages.js";
import { deleteTrees } from "../../../../src/storage/trash/delete-trees.js";
import { groupByKind, type ObjectGroup } from "../../../../src/storage/trash/walk-trees.js";
import { reusableStores } from "../../../support/stores.js";
import { addDatabase, addNestedBlocks, EDIT, schema } from "../fixtures.js";
import { openTestStore } from "../open.js";

/** More than one transaction deletes, together with the blocks in them. */
const TOGGLES = 400;
const NESTED_PAGES = 40;

/** Adds a page with nested blocks, and with pages nested in each other. Returns its id. */
async function addTree(store: Store, workspaceId: string, databaseId: string): Promise<string> {
  return store.write(workspaceId, async (scope) => {
    const root = createPageObject({ type: "database_id", id: databaseId }, {}, {}, EDIT);
    await insertPage(scope, root);
    const divider = { type: "divider", content: {}, children: [] } as const;
    const toggle = { type: "toggle", content: { rich_text: [] }, children: [divider] } as const;
    const trees = Array.from({ length: TOGGLES }, () => toggle);
    const blocks = createBlocks(trees, { type: "page_id", id: root.id }, root.id, EDIT);
    await insertBlocks(scope, root.id, blocks, undefined);
    let parentId = root.id;
    for (let depth = 0; depth < NESTED_PAGES; depth += 1) {
      const page = createPageObject({ type: "page_id", id: parentId }, {}, {}, EDIT);
      await insertPage(scope, page);
      await appendToPage(scope, parentId, page, "child_page");
      parentId = page.id;
    }
    return root.id;
  });
}

/** Counts the pages and blocks, and those of them whose parent does not exist. */
async function countObjects({ read }: Store): Promise<{ all: number; orphans: number }> {
  const columns = ["id", "parent_id"] as const;
  const pages = await read.selectFrom("pages").select(columns).execute();
  const blocks = await read.selectFrom("blocks").select(columns).execute();
  const databases = await read.selectFrom("databases").select("id").execute();
  const ids = new Set<string | null>([...pages, ...blocks, ...databases].map(({ id }) => id));
  const objects = [...pages, ...blocks];
  return { all: objects.length, orphans: objects.filter((row) => !ids.has(row.parent_id)).length };
}

test.each(reusableStores)(
  "trees in %s are deleted in batches without orphans, and again from their root",
  async (_, newLocation) => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const other = await addDatabase(store);
    await addTree(store, other.workspaceId, other.databaseId);
    const kept = (await countObjects(store)).all;
    const rootId = await addTree(store, workspaceId, databaseId);
    const root: ObjectGroup = [{ id: rootId, kind: "page" }];
    const deleteBatch = (groups: readonly ObjectGroup[]) =>
      store.write(workspaceId, (scope) => deleteTrees(scope, groups));

    const { remainingGroups, count } = await deleteBatch([root]);
    expect(remainingGroups.length).toBeGreaterThan(0);
    const { all, orphans } = await countObjects(store);
    expect([all < kept * 2, all > kept, orphans]).toEqual([true, true, 0]);
    // As after a crash.
    let again: readonly ObjectGroup[] = [root];
    let deleted = count;
    while (again.length > 0) {
      const batch = await deleteBatch(again);
      again = batch.remainingGroups;
      deleted += batch.count;
      expect((await countObjects(store)).orphans).toBe(0);
    }
    expect(deleted).toBe(1 + TOGGLES * 2 + NESTED_PAGES);
    expect((await countObjects(store)).all).toBe(kept);
    expect(await deleteBatch([root])).toMatchObject({ remainingGroups: [] });
  },
);

test.each(reusableStores)(
  "the values of a page with the same id in another workspace are kept in %s",
  async (_, newLocation) => {
    const store = await openTestStore(await newLocation());
    const [own, other] = [await addDatabase(store), await addDatabase(store)];
    const id = newId();
    for (const { workspaceId, databaseId } of [own, other]) {
      const parent = { type: "database_id", id: databaseId } as const;
      const page = { ...createPageObject(parent, { pnts: 5 }, {}, EDIT), id };
      await store.write(workspaceId, async (scope) => {
        await insertPage(scope, page);
        await insertPropertyValues(scope, [{ ...page, databaseId }], schema.definitions);
      });
    }
    await store.write(own.workspaceId, (scope) => deleteTrees(scope, [[{ id, kind: "page" }]]));
    const values = await store.read.selectFrom("property_values").select("workspace_id").execute();
    expect(values).toEqual([{ workspace_id: other.workspaceId }]);
  },
);

test("a transaction descends a limited number of levels, and the next one continues", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const { pageId } = await addNestedBlocks(store, workspaceId, databaseId, 1000);
  const deleteBatch = (groups: readonly ObjectGroup[]) =>
    store.write(workspaceId, (scope) => deleteTrees(scope, groups));

  let { remainingGroups, count } = await deleteBatch([[{ id: pageId, kind: "page" }]]);
  expect([remainingGroups.length, count]).toEqual([301, 0]);
  while (remainingGroups.length > 0) {
    const batch = await deleteBatch(remainingGroups);
    remainingGroups = batch.remainingGroups;
    count += batch.count;
  }
  expect(count).toBe(1001);
});

test.each(reusableStores)(
  "a page in %s is deleted although a conversion must convert it again",
  async (_, newLocation) => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const { id } = await store.write(workspaceId, async (scope) => {
      const page = createPageObject({ type: "database_id", id: databaseId }, {}, {}, EDIT);
      await insertPage(scope, page);
      await recordPageToReconvert(scope, databaseId, page.id);
      return page;
    });
    const group: ObjectGroup = [{ id, kind: "page" }];
    expect(await store.write(workspaceId, (scope) => deleteTrees(scope, [group]))).toMatchObject({
      count: 1,
    });
    expect(await findPage({ db: store.read, workspaceId }, id)).toBeUndefined();
  },
);

test.each([
  [100, "without values", 250, ""],
  [20, "of 1 MB", 50, "x".repeat(1_000_000)],
])("a transaction deletes at most %i pages %s", async (maxCount, _size, count, text) => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const parent = { type: "database_id", id: databaseId } as const;
  const pages = Array.from({ length: count }, () => createPageObject(parent, {}, {}, EDIT));
  await store.write(workspaceId, async (scope) => {
    for (const page of pages) await insertPage(scope, page);
    await scope.db
      .updateTable("pages")
      .set({ properties: JSON.stringify({ text }) })
      .execute();
  });
  let groups: readonly ObjectGroup[] = groupByKind(pages.map(({ id }) => ({ id, kind: "page" })));
  const counts: number[] = [];
  while (groups.length > 0) {
    const batch = await store.write(workspaceId, (scope) => deleteTrees(scope, groups));
    counts.push(batch.count);
    groups = batch.remainingGroups;
  }
  expect(counts.reduce((sum, each) => sum + each)).toBe(pages.length);
  expect(Math.max(...counts)).toBeLessThanOrEqual(maxCount);
});
