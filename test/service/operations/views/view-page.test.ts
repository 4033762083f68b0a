import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { MAX_PRESENTED_BYTES_PER_TURN } from "../../../../src/budgets.js";
import { createBlocks } from "../../../../src/domain/blocks/block.js";
import { newId } from "../../../../src/domain/ids.js";
import { createSchema } from "../../../../src/domain/schema.js";
import { runAsLongList } from "../../../../src/operations/execution/event-loop-turns.js";
import { viewPage } from "../../../../src/operations/views/view-page.js";
import { insertBlocks } from "../../../../src/storage/blocks/blocks.js";
import { insertComment } from "../../../../src/storage/comments.js";
import { insertDatabase } from "../../../../src/storage/databases/databases.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { measureHeap } from "../../../support/heap.js";
import { emptyDatabase, emptyPage, plainProperty, plainRun } from "../../../support/objects.js";
import { readScope } from "../../../support/scope.js";
import { addDatabase, EDIT } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";

test("views of a large page keep neither its values nor its blocks while its comments wait for other lists", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const schema = createSchema([
    plainProperty("title", "Title", "title"),
    plainProperty("link", "Link", "url"),
  ]);
  const database = emptyDatabase({ schema });
  const page = emptyPage(database.id, { properties: { link: "x".repeat(1_000_000) } });
  const content = { rich_text: [plainRun("x".repeat(MAX_PRESENTED_BYTES_PER_TURN))], color: "default" };
  const parent = { type: "page_id", id: page.id } as const;
  const blocks = createBlocks([{ type: "paragraph", content, children: [] }], parent, page.id, EDIT);
  await store.write(workspaceId, async (scope) => {
    await insertDatabase(scope, database);
    await insertPage(scope, page);
    await insertBlocks(scope, page.id, blocks, undefined);
    const comment = { parent, discussionId: newId(), createdTime: 0, lastEditedTime: 0, createdBy: newId() };
    await insertComment(scope, { ...comment, id: newId(), richText: content.rich_text });
  });
  const scope = readScope(store, workspaceId);
  let endOthers = (): void => {};
  const others = runAsLongList(scope, () => new Promise<void>((resolve) => (endOthers = resolve)));
  const before = measureHeap();
  const views = Promise.all(
    Array.from({ length: 20 }, () => viewPage(scope, page, { blocks: undefined, comments: undefined })),
  );
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  const bytes = measureHeap() - before;
  endOthers();
  const [view] = await views;
  await others;
  expect(view?.comments).toHaveLength(1);
  expect(view?.blocks).toHaveLength(1);
  // The response cache has the page once.
  expect(bytes).toBeLessThan(4_000_000);
});
