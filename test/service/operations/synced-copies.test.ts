import { describe, expect, test } from "vitest";
import { type BlockInput, createBlocks, type ParsedBlock } from "../../../src/domain/blocks/block.js";
import { newId } from "../../../src/domain/ids.js";
import { appendBlockChildren } from "../../../src/operations/append-block-children.js";
import { loadBlockTree } from "../../../src/operations/views/block-tree.js";
import { findSyncedContents, insertBlocks } from "../../../src/storage/blocks/blocks.js";
import { insertPage } from "../../../src/storage/pages/pages.js";
import { emptyPage } from "../../support/objects.js";
import { readScope, runUseCase } from "../../support/scope.js";
import { recordStatements } from "../../support/statements.js";
import { stores } from "../../support/stores.js";
import { addDatabase, EDIT } from "../storage/fixtures.js";
import { openTestStore } from "../storage/open.js";

/** Adds a page with original synced blocks, of which each second one has a child. Returns the ids of the originals. */
async function addOriginals(location: string, count: number) {
  const store = await openTestStore(location);
  const { workspaceId, databaseId } = await addDatabase(store);
  const page = emptyPage(databaseId);
  const divider: ParsedBlock = { type: "divider", content: {}, children: [] };
  const trees = Array.from({ length: count }, (_, index): ParsedBlock => ({
    type: "synced_block",
    content: { synced_from: null },
    children: index % 2 === 0 ? [] : [divider],
  }));
  const blocks = createBlocks(trees, { type: "page_id", id: page.id }, page.id, EDIT);
  await store.write(workspaceId, async (scope) => {
    await insertPage(scope, page);
    await insertBlocks(scope, page.id, blocks, undefined);
  });
  const ids = blocks.map(({ block }) => block.id);
  /** Appends copies to the page, and returns them with the number of statements, without those that insert blocks. */
  const append = (children: BlockInput[]) =>
    runUseCase(store, workspaceId, async (scope) => {
      const { db, statements } = recordStatements(scope.db);
      const { results } = await appendBlockChildren({ ...scope, db }, page.id, { children });
      const others = statements.filter((statement) => !statement.startsWith('insert into "blocks"'));
      return { results, count: others.length };
    });
  return { store, workspaceId, pageId: page.id, ids, append };
}

const copy = (id: string): BlockInput => ({ synced_block: { synced_from: { block_id: id } } });

describe.each(stores)("in %s", (_, newLocation) => {
  test("the number of statements that append copies does not depend on the number of originals", async () => {
    const { ids, append } = await addOriginals(await newLocation(), 60);
    const few = await append(ids.slice(0, 2).map(copy));
    const many = await append(ids.slice(0, 60).map(copy));
    expect(many.count).toBe(few.count);
    expect(many.results.map((block) => block.has_children)).toEqual(ids.map((_id, index) => index % 2 === 1));
  });

  test("the number of statements that load a page does not depend on the number of originals", async () => {
    const { store, workspaceId, pageId, ids, append } = await addOriginals(await newLocation(), 60);
    const countStatements = async () => {
      const { db, statements } = recordStatements(store.read);
      const { principal, urls, maxRollupBytes } = readScope(store, workspaceId);
      const scope = {
        principal,
        urls,
        maxRollupBytes,
        workspaceId,
        db,
        waitForTurn: async () => {},
        runRelatedReads: <Result>(work: () => Promise<Result>) => work(),
      };
      await loadBlockTree(scope, pageId, undefined);
      return statements.length;
    };
    await append(ids.slice(0, 2).map(copy));
    const few = await countStatements();
    await append(ids.slice(2).map(copy));
    expect(await countStatements()).toBe(few);
  });

  test("the first id that is not an original of a synced block is reported", async () => {
    const { store, workspaceId, ids, append } = await addOriginals(await newLocation(), 2);
    const { results } = await append([copy(ids[0] ?? ""), { divider: {} }]);
    const [copied = "", divider = ""] = results.map(({ id }) => id);
    // The contents of other blocks can be long.
    const contents = await findSyncedContents({ db: store.read, workspaceId }, [divider]);
    expect(contents.get(divider)).toBeNull();
    const unknown = newId();
    const blockIds = [...ids, copied, divider, unknown];
    for (const start of [2, 3, 4]) {
      const id = blockIds[start];
      const children = [...ids, ...blockIds.slice(start)].map((blockId) => copy(blockId ?? ""));
      await expect(append(children)).rejects.toMatchObject({
        kind: id === unknown ? "not_found" : "validation",
        message: expect.stringContaining(String(id)),
      });
    }
  });
});
