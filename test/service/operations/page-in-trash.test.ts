import { expect, test } from "vitest";
import { appendBlockChildren } from "../../../src/operations/append-block-children.js";
import type { WriteScope } from "../../../src/operations/execution/scope.js";
import { updateBlock } from "../../../src/operations/update-block.js";
import { updatePage } from "../../../src/operations/update-page.js";
import { findObject } from "../../../src/storage/objects/objects.js";
import type { Store } from "../../../src/storage/engine/store.js";
import { readScope, runUseCase } from "../../support/scope.js";
import { addDatabase, addNestedBlocks, addPages } from "../storage/fixtures.js";
import { openTestStore } from "../storage/open.js";

const ARCHIVED = "Can't edit block that is archived";

/** Marks a row as in the trash, without the objects in it, as between two batches of a move. */
async function beginMove(store: Store, workspaceId: string, table: "pages" | "databases", id: string) {
  await store.write(workspaceId, ({ db }) =>
    db.updateTable(table).set({ in_trash: 1, trash_root: id }).where("id", "=", id).execute(),
  );
}

test("blocks of a page in the trash that a job has yet to move there cannot be changed", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const { pageId, blockIds } = await addNestedBlocks(store, workspaceId, databaseId, 2);
  const [outer = "", inner = ""] = blockIds;
  await beginMove(store, workspaceId, "pages", pageId);
  const text = { rich_text: [{ text: { content: "late" } }] };
  const attempts: ((scope: WriteScope) => Promise<unknown>)[] = [
    (scope) => appendBlockChildren(scope, outer, { children: [{ paragraph: text }] }),
    (scope) => updateBlock(scope, inner, { toggle: text }),
  ];
  for (const attempt of attempts)
    await expect(runUseCase(store, workspaceId, attempt)).rejects.toThrow(ARCHIVED);
  expect((await findObject(readScope(store, workspaceId), inner))?.id).toBe(inner);
});

test("a page that a job has yet to move to the trash with its database cannot be changed", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const [pageId = ""] = await addPages(store, workspaceId, databaseId, 1);
  await beginMove(store, workspaceId, "databases", databaseId);
  for (const input of [{ properties: { Points: { number: 1 } } }, { icon: null, in_trash: true }]) {
    const edit = runUseCase(store, workspaceId, (scope) => updatePage(scope, pageId, input));
    await expect(edit).rejects.toThrow(ARCHIVED);
  }
});
