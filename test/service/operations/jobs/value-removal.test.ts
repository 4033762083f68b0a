import { expect, test } from "vitest";
import type { Job } from "../../../../src/storage/jobs.js";
import { MAX_BATCH_VALUES } from "../../../../src/budgets.js";
import { VALUE_REMOVAL } from "../../../../src/operations/jobs/value-removal.js";
import { runJob } from "../../../../src/operations/jobs/run-job.js";
import { setConversionJob } from "../../../../src/storage/databases/conversions.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import { insertJob } from "../../../../src/storage/jobs.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { insertPropertyRows, insertPropertyValues } from "../../../../src/storage/pages/property-values.js";
import { BEFORE_FIRST_ID } from "../../../../src/storage/sql-helpers.js";
import { emptyPage, plainProperty, plainRun } from "../../../support/objects.js";
import { stores } from "../../../support/stores.js";
import { addDatabase } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";
import { fillPages, listStoredPropertyIds, removeCodeFromSchema } from "../long-writes/filled-service.js";

/** Adds a page whose values are those of given properties, most of which the schema of its database does not have. */
async function addPage(store: Store, workspaceId: string, databaseId: string, ids: readonly string[]) {
  const text = [plainRun("x".repeat(3000))];
  const page = emptyPage(databaseId, { properties: Object.fromEntries(ids.map((id) => [id, text])) });
  await store.write(workspaceId, async (scope) => {
    await insertPage(scope, page);
    const properties = ids.map((id) => plainProperty(id, id, "rich_text"));
    await insertPropertyValues(scope, [{ ...page, databaseId }], properties);
  });
}

async function removeValues(store: Store, workspaceId: string, objectId: string): Promise<void> {
  const insert = (): Promise<Job> =>
    store.write(workspaceId, (scope) => insertJob(scope, { kind: "remove_values", objectId }));
  await runJob(store, await insert());
}

test.each(stores)(
  "values of removed properties are removed from the pages of their database, and from the indexes of values, in %s",
  async (_, newLocation) => {
    const store = await openTestStore(await newLocation());
    const { workspaceId } = await addDatabase(store);
    const [changed, other] = [
      await fillPages(store, workspaceId, 103),
      await fillPages(store, workspaceId, 1),
    ];
    const removed = Array.from({ length: 600 }, (_value, index) => `removed ${index}`);
    await addPage(store, workspaceId, changed.databaseId, ["title", "gone", "z", ...removed]);
    await removeCodeFromSchema(store, workspaceId, changed.databaseId);
    await removeValues(store, workspaceId, changed.databaseId);
    expect(await listStoredPropertyIds(store, changed.databaseId)).toEqual(["pnts", "title"]);
    expect(await listStoredPropertyIds(store, other.databaseId)).toEqual(["code", "pnts", "title"]);
    const longTexts = await store.read.selectFrom("long_texts").select("property_id").execute();
    expect(longTexts).toEqual([{ property_id: "title" }]);
  },
);

test("values that a running conversion has written are kept", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId, databaseId } = await addDatabase(store);
  await addPage(store, workspaceId, databaseId, ["title", "converted", "gone"]);
  await store.write(workspaceId, async (scope) => {
    const conversion = { kind: "convert_values", objectId: databaseId, propertyIds: ["converted"] } as const;
    await setConversionJob(scope, databaseId, (await insertJob(scope, conversion)).id);
  });
  await removeValues(store, workspaceId, databaseId);
  expect(await listStoredPropertyIds(store, databaseId)).toEqual(["converted", "title"]);
  await store.write(workspaceId, (scope) => setConversionJob(scope, databaseId, null));
  await removeValues(store, workspaceId, databaseId);
  expect(await listStoredPropertyIds(store, databaseId)).toEqual(["title"]);
});

/** Adds links of a removed property to pages. */
function addRemovedLinks(
  store: Store,
  workspaceId: string,
  databaseId: string,
  pageIds: readonly string[],
  count: number,
): Promise<void> {
  const rows = pageIds.flatMap((pageId) =>
    Array.from({ length: count }, (_, ordinal) => ({
      workspace_id: workspaceId,
      page_id: pageId,
      database_id: databaseId,
      property_id: "gone",
      ordinal,
      text_key: "a page",
      number_key: null,
      end_key: null,
    })),
  );
  return store.write(workspaceId, (scope) => insertPropertyRows(scope.db, rows));
}

/** Inserts a job, and returns a function that runs a batch of it. */
async function beginRemoval(store: Store, workspaceId: string, objectId: string) {
  const job = await store.write(workspaceId, (scope) =>
    insertJob(scope, { kind: "remove_values", objectId }),
  );
  return (state?: string) => store.write(workspaceId, (scope) => VALUE_REMOVAL.runBatch(scope, job, state));
}

test("a transaction removes the values of pages up to MAX_BATCH_VALUES, because a page can have thousands of links", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const { databaseId, pageIds } = await fillPages(store, workspaceId, 3);
  await addRemovedLinks(store, workspaceId, databaseId, pageIds, MAX_BATCH_VALUES / 2);
  const runBatch = await beginRemoval(store, workspaceId, databaseId);
  const [second, third] = pageIds.toSorted().slice(1);
  expect(await runBatch()).toEqual({ doneCount: 2, nextState: second });
  expect(await runBatch(second)).toEqual({ doneCount: 1, nextState: third });
  expect(await runBatch(third)).toEqual({ doneCount: 0, nextState: null });
  expect(await listStoredPropertyIds(store, databaseId)).toEqual(["code", "pnts", "title"]);
});

test("a page with more values is cleaned in several transactions", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const { databaseId, pageIds } = await fillPages(store, workspaceId, 2);
  const [first = "", second = ""] = pageIds.toSorted();
  await addRemovedLinks(store, workspaceId, databaseId, [second], MAX_BATCH_VALUES + 1);
  const runBatch = await beginRemoval(store, workspaceId, databaseId);
  expect(await runBatch()).toEqual({ doneCount: 1, nextState: first });
  expect(await listStoredPropertyIds(store, databaseId)).toContain("gone");
  expect(await runBatch(first)).toEqual({ doneCount: 1, nextState: second });
  expect(await listStoredPropertyIds(store, databaseId)).toEqual(["code", "pnts", "title"]);
  await addRemovedLinks(store, workspaceId, databaseId, [first], MAX_BATCH_VALUES);
  // The first page of the database: the job continues at the beginning.
  expect(await runBatch()).toEqual({ doneCount: 0, nextState: BEFORE_FIRST_ID });
  expect(await runBatch(BEFORE_FIRST_ID)).toEqual({ doneCount: 2, nextState: second });
});
