import { expect, test } from "vitest";
import { createBlocks } from "../../../../src/domain/blocks/block.js";
import { createPageObject } from "../../../../src/domain/page.js";
import { findVisibleChildren } from "../../../../src/operations/load/blocks.js";
import { insertBlocks } from "../../../../src/storage/blocks/blocks.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { plainRun } from "../../../support/objects.js";
import { readScope } from "../../../support/scope.js";
import { addDatabase, EDIT } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";

/** Adds a page with five blocks of the same size. */
async function addPageWithBlocks() {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const page = createPageObject({ type: "workspace" }, {}, {}, EDIT);
  const content = { rich_text: [plainRun("x".repeat(1000))], color: "default" };
  const trees = Array.from({ length: 5 }, () => ({ type: "paragraph" as const, content, children: [] }));
  const blocks = createBlocks(trees, { type: "page_id", id: page.id }, page.id, EDIT);
  await store.write(workspaceId, async (scope) => {
    await insertPage(scope, page);
    await insertBlocks(scope, page.id, blocks, undefined);
  });
  const scope = readScope(store, workspaceId);
  const find = (from: string | undefined, count: number, bytes: number) =>
    findVisibleChildren(scope, page.id, from, { count, bytes });
  return {
    find,
    ids: blocks.map(({ block }) => block.id),
    bytes: Buffer.byteLength(JSON.stringify(content)),
  };
}

test("children are read up to a number and a size, and the next id continues after them", async () => {
  const { find, ids, bytes } = await addPageWithBlocks();
  const part = async (...range: Parameters<typeof find>) => {
    const found = await find(...range);
    return [found?.blocks.map(({ id }) => ids.indexOf(id)), ids.indexOf(found?.nextId ?? "")];
  };
  expect(await part(undefined, 100, 1e6)).toEqual([[0, 1, 2, 3, 4], -1]);
  expect(await part(undefined, 2, 1e6)).toEqual([[0, 1], 2]);
  expect(await part(undefined, 100, 3.5 * bytes)).toEqual([[0, 1, 2], 3]);
  expect(await part(ids[3], 100, 3.5 * bytes)).toEqual([[3, 4], -1]);
  // Returns at least one, so that a list can be read to its end.
  expect(await part(ids[1], 100, 1)).toEqual([[1], 2]);
});
