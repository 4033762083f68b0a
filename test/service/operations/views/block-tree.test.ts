import { expect, test } from "vitest";
import { MAX_CELLS_IN_PAGE, MAX_PAGE_PART_BYTES, MAX_SHOWN_CONTENT_BYTES } from "../../../../src/budgets.js";
import { type ParsedBlock as NewTree, createBlocks } from "../../../../src/domain/blocks/block.js";
import { createPageObject } from "../../../../src/domain/page.js";
import { type BlockNode, loadBlockTree } from "../../../../src/operations/views/block-tree.js";
import { insertBlocks } from "../../../../src/storage/blocks/blocks.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { plainRun } from "../../../support/objects.js";
import { readScope } from "../../../support/scope.js";
import { addDatabase, EDIT } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";

const paragraph = (length: number, children: NewTree[] = []): NewTree => ({
  type: "paragraph",
  content: { rich_text: [plainRun("x".repeat(length))], color: "default" },
  children,
});

/** Loads a page with blocks. */
async function load(trees: readonly NewTree[]) {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const page = createPageObject({ type: "workspace" }, {}, {}, EDIT);
  const blocks = createBlocks(trees, { type: "page_id", id: page.id }, page.id, EDIT);
  await store.write(workspaceId, async (scope) => {
    await insertPage(scope, page);
    await insertBlocks(scope, page.id, blocks, undefined);
  });
  const scope = readScope(store, workspaceId);
  return loadBlockTree(scope, page.id, undefined);
}

/** Loads a page with a synced block and a number of copies of it. */
async function loadCopies(child: NewTree, copyCount: number) {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const page = createPageObject({ type: "workspace" }, {}, {}, EDIT);
  const createChildren = (trees: readonly NewTree[]) =>
    createBlocks(trees, { type: "page_id", id: page.id }, page.id, EDIT);
  const [original] = createChildren([
    { type: "synced_block", content: { synced_from: null }, children: [child] },
  ]);
  if (original === undefined) throw new Error("no block was created");
  const synced_from = { type: "block_id", block_id: original.block.id };
  const copies = Array.from({ length: copyCount }, () => ({
    type: "synced_block" as const,
    content: { synced_from },
    children: [],
  }));
  await store.write(workspaceId, async (scope) => {
    await insertPage(scope, page);
    await insertBlocks(scope, page.id, [original, ...createChildren(copies)], undefined);
  });
  return loadBlockTree(readScope(store, workspaceId), page.id, undefined);
}

/** The shape of a tree: an array of its children for each block, and "more" after children that were not read. */
type Shape = (Shape | "more")[];

function getShape({ children, rest }: BlockNode): Shape {
  return [...children.map(getShape), ...(rest ? (["more"] as const) : [])];
}

test("nested blocks are read up to MAX_PAGE_PART_BYTES, on all levels together", async () => {
  // Text is stored twice, as `content` and as `plain_text`.
  const half = MAX_PAGE_PART_BYTES / 4;
  const siblings = await load([paragraph(1, [paragraph(half), paragraph(half)])]);
  expect(siblings?.blocks.map(getShape)).toEqual([[[], "more"]]);
  const levels = await load([paragraph(1, [paragraph(half, [paragraph(half)])]), paragraph(1)]);
  expect(levels?.blocks.map(getShape)).toEqual([[["more"]], []]);
});

test("blocks directly in a page are read up to MAX_PAGE_PART_BYTES, and the next part begins with the next one", async () => {
  const part = await load(Array.from({ length: 5 }, () => paragraph(MAX_PAGE_PART_BYTES / 9)));
  expect(part?.blocks).toHaveLength(4);
  expect(part?.nextBlockId).toEqual(expect.any(String));
});

/** A row of a table with 100 empty cells. */
const ROW: NewTree = {
  type: "table_row",
  content: { cells: Array.from({ length: 100 }, () => []) },
  children: [],
};

/** Creates a table of 100 columns. */
function createTable(rowCount: number): NewTree {
  return {
    type: "table",
    content: { table_width: 100, has_column_header: false, has_row_header: false },
    children: Array.from({ length: rowCount }, () => ROW),
  };
}

test("rows of tables are read up to MAX_CELLS_IN_PAGE cells, in all tables together", async () => {
  const maxRows = MAX_CELLS_IN_PAGE / 100;
  const part = await load([createTable(maxRows - 10), createTable(20), createTable(1)]);
  const counts = part?.blocks.map(({ children, rest }) => [children.length, rest !== undefined]);
  expect(counts).toEqual([
    [maxRows - 10, false],
    [10, true],
    [0, true],
  ]);
  const rows = await load(Array.from({ length: maxRows + 1 }, () => ROW));
  expect(rows?.blocks).toHaveLength(maxRows);
  expect(rows?.nextBlockId).toEqual(expect.any(String));
});

test("synced copies repeat content up to MAX_SHOWN_CONTENT_BYTES, and the next part begins with the next copy", async () => {
  const length = MAX_PAGE_PART_BYTES / 2 - 1000;
  const count = Math.floor(MAX_SHOWN_CONTENT_BYTES / MAX_PAGE_PART_BYTES);
  const part = await loadCopies(paragraph(length), count + 2);
  expect(part?.blocks.map(getShape)).toEqual([...Array.from({ length: count }, () => [[]]), ["more"]]);
  expect(part?.nextBlockId).toEqual(expect.any(String));
});

test("synced copies repeat rows of tables up to MAX_CELLS_IN_PAGE cells", async () => {
  const rowCount = MAX_CELLS_IN_PAGE / 100 / 4;
  const part = await loadCopies(createTable(rowCount), 5);
  const counts = part?.blocks.map(({ children }) => children[0]?.children.length);
  expect(counts).toEqual([rowCount, rowCount, rowCount, rowCount, 0]);
  expect(part?.nextBlockId).toEqual(expect.any(String));
});
