import { expect, test } from "vitest";
import { insertPage } from "../../../../src/storage/pages.js";
import { indexTexts } from "../../../../src/storage/transfer/index-texts.js";
import { emptyPage, plainRun } from "../../../support/objects.js";
import { addDatabase } from "../fixtures.js";
import { openTestStore } from "../open.js";

test.each([
  ["more than the pages of a batch", 101, 10],
  ["exactly the pages of two batches", 100, 10],
  ["more than the bytes of a batch", 5, 1_500_000],
])("the texts of %s are indexed, in databases and outside of them", async (_, count, length) => {
  const store = await openTestStore(":memory:");
  const { workspaceId, databaseId } = await addDatabase(store);
  const pages = [{ parent: { type: "workspace" } } as const, {}].flatMap((parent) =>
    Array.from({ length: count }, () =>
      emptyPage(databaseId, { ...parent, properties: { title: [plainRun("x".repeat(length))] } }),
    ),
  );
  await store.write(workspaceId, async (scope) => {
    for (const page of pages) await insertPage(scope, page);
  });
  await store.writeServiceWide((tx) => indexTexts(tx, [workspaceId]));
  const indexed = await store.read.selectFrom("page_texts").select("page_id").execute();
  expect(indexed.map(({ page_id }) => page_id).sort()).toEqual(pages.map(({ id }) => id).sort());
});
