import { expect, test } from "vitest";
import { MAX_BATCH_BYTES } from "../../../src/budgets.js";
import type { DefinitionOf } from "../../../src/domain/schema.js";
import { addReverseLinks, type Link, replaceLinks } from "../../../src/storage/relations.js";
import { addDatabase, addPages } from "./fixtures.js";
import { openTestStore } from "./open.js";

test("links to large pages are reversed one after another", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const [first = "", second = "", third = ""] = await addPages(store, workspaceId, databaseId, 3);
  const relation = { id: "rela", name: "Links", description: null, type: "relation", databaseId } as const;
  const oneWay: DefinitionOf<"relation"> = { ...relation, syncedPropertyId: null };
  const twoWay: DefinitionOf<"relation"> = { ...relation, syncedPropertyId: "back" };
  await store.write(workspaceId, async (scope) => {
    await replaceLinks(scope, { id: third, databaseId }, oneWay, [first, second]);
    const properties = JSON.stringify({ removed: "x".repeat(MAX_BATCH_BYTES) });
    await scope.db.updateTable("pages").set({ properties }).execute();
  });
  const reverse = (after?: Link) =>
    store.write(workspaceId, (scope) => addReverseLinks(scope, databaseId, twoWay, after));
  const afterFirst = await reverse();
  expect(afterFirst).toEqual({ pageId: third, targetId: first });
  const rows = await store.read
    .selectFrom("property_values")
    .select("page_id")
    .where("property_id", "=", "back")
    .execute();
  expect(rows).toEqual([{ page_id: first }]);
  expect(await reverse(afterFirst)).toBeUndefined();
});
