import type { KyselyPlugin } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { newId } from "../../../src/domain/ids.js";
import { createSchema, type PropertyDefinition } from "../../../src/domain/schema.js";
import { queryDatabase } from "../../../src/operations/query-database.js";
import { updatePage } from "../../../src/operations/update-page.js";
import { insertDatabase } from "../../../src/storage/databases/databases.js";
import { search } from "../../../src/operations/search.js";
import { insertPage } from "../../../src/storage/pages/pages.js";
import { insertPropertyRows } from "../../../src/storage/pages/property-values.js";
import { emptyDatabase, emptyPage, plainProperty, plainRun } from "../../support/objects.js";
import { readScope, runUseCase } from "../../support/scope.js";
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
  return { store, workspaceId, scope: readScope(store, workspaceId), database, pages, turns };
}

test("large pages are converted in several turns of the event loop", async () => {
  const { scope, database, pages, turns } = await addLargePages();
  const start = turns.current;
  const { results } = await queryDatabase(scope, database.id, {}, { size: 100, cursor: undefined });
  const bodies = results.toJSON();
  expect(bodies.map(({ id }) => id)).toEqual(pages.map(({ id }) => id).toSorted());
  expect(turns.current - start).toBeGreaterThanOrEqual(pages.length - 1);
});

test("large pages that a search finds are converted in several turns of the event loop", async () => {
  const { scope, pages, turns } = await addLargePages();
  const start = turns.current;
  const input = { filter: { property: "object", value: "page" } } as const;
  const { results } = await search(scope, input, { size: 100 });
  const foundIds = results.toJSON().map(({ id }) => id);
  expect(foundIds.toSorted()).toEqual(pages.map(({ id }) => id).toSorted());
  expect(turns.current - start).toBeGreaterThanOrEqual(pages.length - 1);
});

test("empty pages are converted in several turns of the event loop if the names of their properties are long", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const named = Array.from({ length: 480 }, (_, index) =>
    plainProperty(`p${index}`, "漢".repeat(330) + index, "number"),
  );
  const schema = createSchema([plainProperty("title", "Title", "title"), ...named]);
  const database = emptyDatabase({ schema });
  const pages = Array.from({ length: 40 }, () => emptyPage(database.id));
  await store.write(workspaceId, async (scope) => {
    await insertDatabase(scope, database);
    for (const page of pages) await insertPage(scope, page);
  });
  const turns = countTurns();
  onTestFinished(turns.end);
  const scope = readScope(store, workspaceId);
  for (const list of [
    () => queryDatabase(scope, database.id, {}, { size: 100 }),
    () => search(scope, { filter: { property: "object", value: "page" } }, { size: 100 }),
  ]) {
    const start = turns.current;
    const { nextCursor } = await list();
    expect(nextCursor).not.toBeNull();
    expect(turns.current - start).toBeGreaterThanOrEqual(10);
  }
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
  const { results } = await queryDatabase(counted, database.id, { in_trash: true }, { size: 100 });
  expect(results.toJSON()).toEqual([]);
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
  expect(results.toJSON()).toHaveLength(pages.length);
  // Each page is measured in a turn, and then converted in another.
  expect(turns.current - start).toBeGreaterThanOrEqual(2 * (pages.length - 1));
});

test("the beginning of a list is cached until something in the workspace changes", async () => {
  const { store, workspaceId, database, pages, scope } = await addLargePages();
  type Query = Parameters<typeof queryDatabase>[2];
  const title: Query = { sorts: [{ property: "Title", direction: "ascending" }] };
  const query = (input: Query, size = 2) => queryDatabase(scope, database.id, input, { size });
  const first = await query(title);
  expect(await query(title)).toBe(first);
  // Other queries have their own results.
  for (const other of [query({}), query(title, 3), query({ ...title, in_trash: true })])
    expect(await other).not.toEqual(first);
  const [page] = pages;
  await runUseCase(store, workspaceId, (writeScope) =>
    updatePage(writeScope, page?.id ?? "", { properties: { Title: [plainRun("First")] } }),
  );
  const changed = await query(title);
  expect(JSON.stringify(changed.results)).toContain('"plain_text":"First"');
  expect(await query(title)).toBe(changed);
});

test("results that can change without a change of the workspace, and further parts, are not cached", async () => {
  const { database, scope } = await addLargePages();
  const recent = { filter: { timestamp: "created_time", created_time: { past_week: {} } } } as const;
  const first = await queryDatabase(scope, database.id, {}, { size: 2 });
  for (const [input, pagination, propertyFilter] of [
    [recent, { size: 2 }],
    [{}, { size: 2, cursor: first.nextCursor ?? "" }],
    [{}, { size: 2 }, ["title"]],
  ] as const) {
    const query = () => queryDatabase(scope, database.id, input, pagination, propertyFilter);
    // Not with `toBe`, which would compare the bytes of both.
    expect((await query()) === (await query())).toBe(false);
  }
});

test("results with values of other objects, such as users, are not cached", async () => {
  const { database, scope } = await addLargePages([plainProperty("made", "Author", "created_by")]);
  const query = () => queryDatabase(scope, database.id, {}, { size: 2 });
  expect((await query()) === (await query())).toBe(false);
});
