import { expect, test } from "vitest";
import { MAX_BATCH_PAGES } from "../../../src/budgets.js";
import { newId } from "../../../src/domain/ids.js";
import { createSchema } from "../../../src/domain/schema.js";
import { createPage } from "../../../src/operations/create-page.js";
import type { WriteScope } from "../../../src/operations/execution/scope.js";
import { updateBlock } from "../../../src/operations/update-block.js";
import { updateDatabase } from "../../../src/operations/update-database.js";
import { updatePage } from "../../../src/operations/update-page.js";
import { updateSchema } from "../../../src/storage/databases/databases.js";
import { getConnection } from "../../../src/storage/engine/dialect.js";
import { WriteConnection } from "../../../src/storage/engine/transaction.js";
import { runUseCase } from "../../support/scope.js";
import { addDatabase, addNestedBlocks, addPages, EDIT, schema } from "../storage/fixtures.js";
import { openTestStore } from "../storage/open.js";

test("a refused request has changed nothing, so that the writes in its transaction do not run again", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId, databaseId } = await addDatabase(store);
  const { pageId, blockIds } = await addNestedBlocks(store, workspaceId, databaseId, 1);
  const [blockId = ""] = blockIds;
  await addPages(store, workspaceId, databaseId, MAX_BATCH_PAGES);
  const uniqueId = {
    id: "nmbr",
    name: "Number",
    description: null,
    type: "unique_id",
    prefix: null,
  } as const;
  await store.write(workspaceId, (scope) =>
    updateSchema(scope, databaseId, createSchema([...schema.definitions, uniqueId]), EDIT),
  );
  const badIcon = { emoji: "no emoji" };
  const unknownMention = { rich_text: [{ mention: { page: { id: newId() } } }] };
  const parent = { database_id: databaseId };
  const title = [{ text: { content: "New" } }];
  const requests: ((scope: WriteScope) => Promise<unknown>)[] = [
    (scope) => createPage(scope, { parent, properties: {}, icon: badIcon }),
    (scope) => updatePage(scope, pageId, { in_trash: true, properties: { Unknown: 1 } }),
    (scope) => updatePage(scope, pageId, { in_trash: true, icon: badIcon }),
    (scope) => updateBlock(scope, blockId, { in_trash: true, toggle: unknownMention }),
    (scope) => updateDatabase(scope, databaseId, { in_trash: true, title, properties: { Unknown: null } }),
    // Runs again after a conversion job.
    (scope) => updateDatabase(scope, databaseId, { title, properties: { Points: { checkbox: {} } } }),
  ];
  for (const request of requests) {
    const isDirty = await runUseCase(store, workspaceId, async (scope) => {
      await expect(request(scope)).rejects.toThrow();
      const connection = getConnection(scope.db);
      return connection instanceof WriteConnection && connection.isDirty;
    });
    expect(isDirty, String(request)).toBe(false);
  }
});
