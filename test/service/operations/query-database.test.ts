import type { KyselyPlugin } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { newId } from "../../../src/domain/ids.js";
import { createSchema, type PropertyDefinition } from "../../../src/domain/schema.js";
import { queryDatabase } from "../../../src/operations/query-database.js";
import { insertDatabase } from "../../../src/storage/databases.js";
import { search } from "../../../src/operations/search.js";
import { insertPage } from "../../../src/storage/pages.js";
import { insertPropertyRows } from "../../../src/storage/property-values.js";
import { emptyDatabase, emptyPage, plainProperty } from "../../support/objects.js";
import { readScope } from "../../support/scope.js";
import { countTurns } from "../../support/turns.js";
import { addDatabase } from "../storage/fixtures.js";
import { openTestStore } from "../storage/open.js";

/** Creates a database with 8 pages whose values are long, and with further properties. */
async function addLargePages(further: readonly PropertyDefinition[] = []) {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const schema = createSchema([
    plainProperty("title", "Title", "title"),
    plainProperty("link", "Link", "url"),
    ...further,
  ]);
  const database = emptyDatabase({ schema });
  const pages = Array.from({ length: 8 }, () =>
    emptyPage(database.id, { properties: { link: "x".repeat(200_000) } }),
  );
  await store.write(workspaceId, async (scope) => {
    await insertDatabase(scope, database);
    for (const page of pages) await insertPage(scope, page);
  });
  const turns = countTurns();
  onTestFinished(turns.end);
  return { scope: readScope(store, workspaceId), database, pages, turns };
}

test("large pages are converted in several turns of the event loop", async () => {
  const { scope, database, pages, turns } = await addLargePages();
  const start = turns.current;
  const { results } = await queryDatabase(scope, database.id, {}, { size: 100, cursor: undefined });
  expect(results.map(({ id }) => id)).toEqual(pages.map(({ id }) => id).toSorted());
  expect(turns.current - start).toBeGreaterThanOrEqual(pages.length - 1);
});

test("large pages that a search finds are converted in several turns of the event loop", async () => {
  const { scope, pages, turns } = await addLargePages();
  const start = turns.current;
  const input = { filter: { property: "object", value: "page" } } as const;
  const { results } = await search(scope, input, { size: 100 });
  expect(results.map(({ id }) => id).toSorted()).toEqual(pages.map(({ id }) => id).toSorted());
  expect(turns.current - start).toBeGreaterThanOrEqual(pages.length - 1);
});

test("the related schemas of rollups are read once for all turns", async () => {
  const common = { description: null };
  const relation = { ...common, id: "rltn", name: "Relation", databaseId: newId(), syncedPropertyId: null };
  const rollup = { ...common, id: "cnt", name: "Count", relationId: relation.id, propertyId: "title" };
  const { scope, database, turns } = await addLargePages([
    { ...relation, type: "relation" },
    { ...rollup, type: "rollup", function: "count" },
  ]);
  let reads = 0;
  const counter: KyselyPlugin = {
    transformQuery({ node }) {
      if (JSON.stringify(node).includes('"databases"')) reads += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const counted = Object.assign(scope, { db: scope.db.withPlugin(counter) });
  const start = turns.current;
  await queryDatabase(counted, database.id, {}, { size: 100 });
  expect(turns.current - start).toBeGreaterThan(1);
  expect(reads).toBe(1);
  expect((await queryDatabase(counted, database.id, { in_trash: true }, { size: 100 })).results).toEqual([]);
  expect(reads).toBe(1);
});

test("the links that rollups of many pages read are measured in several turns of the event loop", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const id = newId();
  const title = plainProperty("title", "Title", "title");
  const common = { description: null };
  const schema = createSchema([
    title,
    { ...common, id: "links", name: "Links", type: "relation", databaseId: id, syncedPropertyId: null },
    {
      ...common,
      id: "count",
      name: "Count",
      type: "rollup",
      relationId: "links",
      propertyId: "title",
      function: "count",
    },
  ]);
  const pages = Array.from({ length: 8 }, () => emptyPage(id));
  const text_key = pages[0]?.id ?? "";
  await store.write(workspaceId, async (scope) => {
    await insertDatabase(scope, emptyDatabase({ id, schema }));
    for (const page of pages) await insertPage(scope, page);
    const rows = pages.flatMap((page) =>
      Array.from({ length: 1500 }, (_, ordinal) => ({
        workspace_id: workspaceId,
        page_id: page.id,
        database_id: id,
        property_id: "links",
        ordinal,
        text_key,
        number_key: null,
        end_key: null,
      })),
    );
    await insertPropertyRows(scope.db, rows);
  });
  const turns = countTurns();
  onTestFinished(turns.end);
  const start = turns.current;
  const { results } = await queryDatabase(readScope(store, workspaceId), id, {}, { size: 100 });
  expect(results).toHaveLength(pages.length);
  // Each page is measured in a turn, and then converted in another.
  expect(turns.current - start).toBeGreaterThanOrEqual(2 * (pages.length - 1));
});
