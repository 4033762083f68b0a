import { expect, test } from "vitest";
import { appendBlockChildren } from "../../../src/operations/append-block-children.js";
import { Scopes, type WriteScope } from "../../../src/operations/scope.js";
import { updateBlock } from "../../../src/operations/update-block.js";
import { findObject } from "../../../src/storage/objects.js";
import { createPrincipal, readScope, URLS } from "../../support/scope.js";
import { addDatabase, addNestedBlocks } from "../storage/fixtures.js";
import { openTestStore } from "../storage/open.js";

test("blocks of a page in the trash that a job has yet to move there cannot be changed", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const { pageId, blockIds } = await addNestedBlocks(store, workspaceId, databaseId, 2);
  const [outer = "", inner = ""] = blockIds;
  // The state between two batches of the move.
  await store.write(workspaceId, ({ db }) =>
    db.updateTable("pages").set({ in_trash: 1 }).where("id", "=", pageId).execute(),
  );
  const run = (useCase: (scope: WriteScope) => Promise<unknown>): Promise<unknown> =>
    store.write(workspaceId, ({ db }) => {
      const outcome = { conversionJob: undefined, jobs: [] };
      return useCase(new Scopes(store, URLS).createWriteScope(createPrincipal(workspaceId), db, outcome));
    });
  const text = { rich_text: [{ text: { content: "late" } }] };
  const attempts = [
    () => run((scope) => appendBlockChildren(scope, outer, { children: [{ paragraph: text }] })),
    () => run((scope) => updateBlock(scope, inner, { toggle: text })),
  ];
  for (const attempt of attempts)
    await expect(attempt()).rejects.toThrow("Can't edit block that is archived");
  expect((await findObject(readScope(store, workspaceId), inner))?.id).toBe(inner);
});
