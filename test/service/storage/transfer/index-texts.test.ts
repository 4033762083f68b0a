import { expect, test } from "vitest";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { indexTexts } from "../../../../src/storage/transfer/index-texts.js";
import { emptyPage, plainRun } from "../../../support/objects.js";
import { addDatabase } from "../fixtures.js";
import { openTestStore } from "../open.js";

test.each([
  ["more than the pages of a batch", 201, 10],
  ["exactly the pages of two batches", 400, 10],
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
  await store.writeServiceWide((tx) => indexTexts(tx, (run) => run(tx), [workspaceId]));
  const indexed = await store.read.selectFrom("page_texts").select("page_id").execute();
  expect(indexed.map(({ page_id }) => page_id).sort()).toEqual(pages.map(({ id }) => id).sort());
});

test("texts are indexed in transactions of few bytes", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId, databaseId } = await addDatabase(store);
  const page = () => emptyPage(databaseId, { properties: { title: [plainRun("x".repeat(100_000))] } });
  await store.write(workspaceId, async (scope) => {
    for (let count = 0; count < 5; count += 1) await insertPage(scope, page());
  });
  let writes = 0;
  await indexTexts(
    store.read,
    (run) => {
      writes += 1;
      return store.writeServiceWide(run);
    },
    [workspaceId],
  );
  // The JSON of a page has the text twice, so that two pages have more than MAX_BATCH_BYTES.
  expect(writes).toBe(5);
});
