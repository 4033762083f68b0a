import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { MAX_PRESENTED_BYTES_PER_TURN } from "../../../src/budgets.js";
import { newId } from "../../../src/domain/ids.js";
import { createSchema } from "../../../src/domain/schema.js";
import { queryDatabase } from "../../../src/operations/query-database.js";
import { retrievePageProperty } from "../../../src/operations/retrieve-page-property.js";
import { retrievePage } from "../../../src/operations/retrieve-page.js";
import { search } from "../../../src/operations/search.js";
import { insertDatabase } from "../../../src/storage/databases/databases.js";
import { insertPage } from "../../../src/storage/pages/pages.js";
import { insertPropertyRows } from "../../../src/storage/pages/property-values.js";
import { measureHeap } from "../../support/heap.js";
import { emptyDatabase, emptyPage, plainProperty } from "../../support/objects.js";
import { readScope } from "../../support/scope.js";
import { addDatabase } from "../storage/fixtures.js";
import { openTestStore } from "../storage/open.js";

const PAGE_BYTES = 1_000_000;
const REQUESTS = 20;

/** Creates a large page with a rollup that reads another large page. */
async function addLargePage() {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const id = newId();
  const common = { description: null };
  const schema = createSchema([
    plainProperty("title", "Title", "title"),
    plainProperty("link", "Link", "url"),
    { ...common, id: "rltn", name: "Relation", type: "relation", databaseId: id, syncedPropertyId: null },
    {
      ...common,
      id: "cont",
      name: "Count",
      type: "rollup",
      relationId: "rltn",
      propertyId: "title",
      function: "count",
    },
  ]);
  const linked = emptyPage(id, {
    lastEditedTime: 0,
    properties: { link: "y".repeat(2 * MAX_PRESENTED_BYTES_PER_TURN) },
  });
  const page = emptyPage(id, { properties: { link: "x".repeat(PAGE_BYTES) } });
  await store.write(workspaceId, async (scope) => {
    await insertDatabase(scope, emptyDatabase({ id, schema }));
    await insertPage(scope, linked);
    await insertPage(scope, page);
    const link = { page_id: page.id, database_id: id, property_id: "rltn", ordinal: 0, text_key: linked.id };
    await insertPropertyRows(scope.db, [
      { ...link, workspace_id: workspaceId, number_key: null, end_key: null },
    ]);
  });
  return { scope: readScope(store, workspaceId), databaseId: id, pageId: page.id };
}

type LargePage = Awaited<ReturnType<typeof addLargePage>>;

const READS = {
  "a page": ({ scope, pageId }: LargePage) => retrievePage(scope, pageId),
  "a rollup of a page": ({ scope, pageId }: LargePage) =>
    retrievePageProperty(scope, pageId, "Count", { size: 1 }),
  "a list of one page": ({ scope, databaseId }: LargePage) =>
    queryDatabase(
      scope,
      databaseId,
      { sorts: [{ timestamp: "last_edited_time", direction: "descending" }] },
      { size: 1 },
    ),
  "a search that finds one page": ({ scope }: LargePage) =>
    search(scope, { filter: { property: "object", value: "page" } }, { size: 1 }),
};

test.each(Object.entries(READS))("%s keeps no values while its rollups wait for others", async (_, read) => {
  const large = await addLargePage();
  const { scope } = large;
  let endOthers = (): void => {};
  const others = scope.runRelatedReads(() => new Promise<void>((resolve) => (endOthers = resolve)));
  const before = measureHeap();
  const reads = Promise.all(Array.from({ length: REQUESTS }, () => read(large)));
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  const bytes = measureHeap() - before;
  endOthers();
  const results = await reads;
  await others;
  expect(JSON.stringify(results[0])).toMatch(/"type":"(?:number|rollup)"/);
  // Only one of the requests has values.
  expect(bytes).toBeLessThan((REQUESTS / 4) * PAGE_BYTES);
});
