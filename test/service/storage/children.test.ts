import { CompiledQuery } from "kysely";
import { expect, test } from "vitest";
import { type ParsedBlock, createBlocks } from "../../../src/domain/blocks/block.js";
import { createPageObject } from "../../../src/domain/page.js";
import {
  findBlock,
  findBlocks,
  findChildrenOfParents,
  hasAnyChildBlock,
  hasChildBlocks,
  insertBlocks,
} from "../../../src/storage/blocks/blocks.js";
import { getConnection, openPostgres, openSqlite } from "../../../src/storage/engine/dialect.js";
import type { Store } from "../../../src/storage/engine/store.js";
import { insertPage } from "../../../src/storage/pages/pages.js";
import { explain } from "../../support/explain.js";
import { plainRun } from "../../support/objects.js";
import { testUnless } from "../../support/requirements.js";
import { newPostgresDatabase, NO_POSTGRES, openSecondConnection } from "../../support/stores.js";
import { addDatabase, addNestedBlocks, EDIT } from "./fixtures.js";
import { openTestStore } from "./open.js";

/** Adds a page with five blocks, the second of which has three children. All blocks have the same size. */
async function addPageWithBlocks(location?: string) {
  const store = await openTestStore(location);
  const { workspaceId } = await addDatabase(store);
  const page = createPageObject({ type: "workspace" }, {}, {}, EDIT);
  const paragraph = (children: ParsedBlock[] = []): ParsedBlock => ({
    type: "paragraph",
    content: { rich_text: [plainRun("x".repeat(1000))], color: "default" },
    children,
  });
  const nested = [paragraph(), paragraph(), paragraph()];
  const trees = [paragraph(), paragraph(nested), paragraph(), paragraph(), paragraph()];
  const blocks = createBlocks(trees, { type: "page_id", id: page.id }, page.id, EDIT);
  await store.write(workspaceId, async (scope) => {
    await insertPage(scope, page);
    await insertBlocks(scope, page.id, blocks, undefined);
  });
  const findNested = (parentIds: string[], count: number, bytes: number) =>
    findChildrenOfParents({ db: store.read, workspaceId }, parentIds, { count, bytes });
  const bytes = Buffer.byteLength(JSON.stringify(blocks[0]?.block.content));
  const ids = blocks.map(({ block }) => block.id);
  return { store, workspaceId, page, ids, findNested, bytes };
}

test("children of several blocks are read up to a number and a size", async () => {
  const { ids, findNested, bytes } = await addPageWithBlocks();
  const count = async (...limit: [number, number]) => (await findNested(ids, ...limit)).blocks.length;
  expect([await count(100, 1e6), await count(2, 1e6), await count(100, 2.5 * bytes)]).toEqual([3, 2, 2]);
  expect((await findNested(ids, 100, 1e6)).bytes).toBe(3 * bytes);
});

test("blocks that have moved to the trash since their ids were read are skipped", async () => {
  const { store, workspaceId, ids } = await addPageWithBlocks();
  const [trashed = "", ...others] = ids;
  await store.write(workspaceId, async ({ db }) => {
    const columns = { in_trash: 1, trash_root: trashed };
    await db.updateTable("blocks").set(columns).where("id", "=", trashed).execute();
  });
  const found = await findBlocks({ db: store.read, workspaceId }, ids);
  expect(found.map(({ id }) => id).sort()).toEqual(others.sort());
});

test("a block in the trash has no children, although a job has yet to move them there", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId, databaseId } = await addDatabase(store);
  const { pageId, blockIds } = await addNestedBlocks(store, workspaceId, databaseId, 2);
  const [outer = "", inner = ""] = blockIds;
  const readHasChildren = async (id: string) =>
    (await findBlock({ db: store.read, workspaceId }, id))?.hasChildren;
  expect([await readHasChildren(outer), await readHasChildren(inner)]).toEqual([true, false]);
  await store.write(workspaceId, ({ db }) =>
    db.updateTable("blocks").set({ in_trash: 1, trash_root: outer }).where("id", "=", outer).execute(),
  );
  expect(await readHasChildren(outer)).toBe(false);
  // The page has no other child than this block.
  expect(await hasChildBlocks({ db: store.read, workspaceId }, pageId)).toBe(false);
  expect(await hasAnyChildBlock({ db: store.read, workspaceId }, pageId)).toBe(true);
});

test("a block that is inserted between the statements does not hide a child", async () => {
  const { store, workspaceId, page, ids, findNested } = await addPageWithBlocks();
  const [, parentId = ""] = ids;
  const { blocks: before } = await findNested([parentId], 100, 1e6);
  const content = { rich_text: [], color: "default" };
  const parent = { type: "block_id", id: parentId } as const;
  const inserted = createBlocks([{ type: "paragraph", content, children: [] }], parent, page.id, EDIT);
  const connection = getConnection(store.read);
  if (connection === undefined) throw new Error("The store has no connection.");
  let isInserted = false;
  const db: Store["read"] = openSqlite({
    async executeQuery<Row>(query: CompiledQuery) {
      const result = await connection.executeQuery<Row>(query);
      if (!isInserted) {
        isInserted = true;
        await store.write(workspaceId, (scope) => insertBlocks(scope, parentId, inserted, before[0]?.id));
      }
      return result;
    },
  });
  const found = await findChildrenOfParents({ db, workspaceId }, [parentId], { count: 100, bytes: 1e6 });
  expect(found.blocks.map(({ id }) => id)).toEqual([before[0]?.id, inserted[0]?.block.id, before[1]?.id]);
  expect(found.truncatedParentId).toBe(parentId);
});

test("SQLite reads children from an index that skips those in the trash", async () => {
  const { store, workspaceId, ids } = await addPageWithBlocks();
  const plan = await explain(store.read, (db) =>
    findChildrenOfParents({ db, workspaceId }, ids, { count: 2, bytes: 1e6 }),
  );
  expect(plan).toContain("USING INDEX blocks_shown (workspace_id=? AND parent_id=?)");
  expect(plan).not.toContain("USE TEMP B-TREE");
});

testUnless(NO_POSTGRES)(
  "PostgreSQL reads the children of each parent by an index, up to the limit",
  async () => {
    const location = await newPostgresDatabase();
    const { store, workspaceId, ids } = await addPageWithBlocks(location);
    const runSql = await openSecondConnection(location);
    await runSql("ANALYZE blocks");
    const plan = await explain(store.read, (db) =>
      findChildrenOfParents({ db, workspaceId }, ids, { count: 2, bytes: 1e6 }),
    );
    expect(plan).toMatch(/Nested Loop/);
    expect(plan).not.toMatch(/ANY/);
  },
);

testUnless(NO_POSTGRES)("PostgreSQL without statistics finds blocks by their ids", async () => {
  const location = await newPostgresDatabase();
  const { store, workspaceId, ids } = await addPageWithBlocks(location);
  const connection = getConnection(store.read);
  if (connection === undefined) throw new Error("The store has no connection.");
  let plan = "";
  const db: Store["read"] = openPostgres({
    async executeQuery(query: CompiledQuery) {
      const { sql, parameters } = query;
      plan = JSON.stringify(
        await connection.executeQuery(CompiledQuery.raw(`explain ${sql}`, [...parameters])),
      );
      return connection.executeQuery(query);
    },
  });
  expect(await findBlocks({ db, workspaceId }, ids)).toHaveLength(ids.length);
  // For a join PostgreSQL could read all blocks of the workspace.
  expect(plan).toMatch(/Nested Loop/);
  expect(plan).not.toMatch(/Semi Join|HashAggregate/);
});
