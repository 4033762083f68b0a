import { expect, test } from "vitest";
import { newId } from "../../../../src/domain/ids.js";
import type { StoredProperties } from "../../../../src/domain/properties/stored-values.js";
import { MATCH_ALL } from "../../../../src/domain/query/condition.js";
import { getIds } from "../../../../src/lists.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { insertPropertyRows, insertPropertyValues } from "../../../../src/storage/pages/property-values.js";
import { readPageList } from "../../../../src/storage/query/read-page-list.js";
import { emptyPage, plainProperty, plainRun } from "../../../support/objects.js";
import { readScope } from "../../../support/scope.js";
import { addDatabase, schema } from "../fixtures.js";
import { openTestStore } from "../open.js";

test("index scans of one list together read no more pages than requested", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId, databaseId } = await addDatabase(store);
  const values: StoredProperties[] = [{ pnts: 1 }, { pnts: 2 }, {}, {}];
  const pages = values.map((properties) => emptyPage(databaseId, { properties }));
  await store.write(workspaceId, async (scope) => {
    for (const page of pages) {
      await insertPage(scope, page);
      await insertPropertyValues(scope, [{ ...page, databaseId }], schema.definitions);
    }
  });
  const property = schema.byName.get("Points");
  if (property === undefined) throw new Error("The schema has no points.");
  const rows = await readPageList(readScope(store, workspaceId), {
    pageSet: { databaseId, inTrash: false },
    condition: MATCH_ALL,
    sorts: [{ key: { kind: "number", property }, descending: false }],
    after: undefined,
    count: 3,
  });
  expect(rows.map(({ id }) => id)).toEqual(pages.slice(0, 3).map(({ id }) => id));
});

test("a page that has an element of its value twice is listed once", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId, databaseId } = await addDatabase(store);
  const property = plainProperty("prop", "People", "people");
  const pages = [emptyPage(databaseId), emptyPage(databaseId)];
  const [id, otherId] = [newId(), newId()];
  const common = { workspace_id: workspaceId, database_id: databaseId, property_id: property.id };
  await store.write(workspaceId, async (scope) => {
    for (const page of pages) {
      await insertPage(scope, page);
      const rows = [id, otherId, id].map((text_key, ordinal) => ({
        ...common,
        page_id: page.id,
        ordinal,
        text_key,
      }));
      await insertPropertyRows(
        scope.db,
        rows.map((row) => ({ ...row, number_key: null, end_key: null })),
      );
    }
  });
  const rows = await readPageList(readScope(store, workspaceId), {
    pageSet: { databaseId, inTrash: false },
    condition: { kind: "element", property, test: { kind: "id", id } },
    sorts: [],
    after: undefined,
    count: 10,
  });
  expect(getIds(rows)).toEqual(getIds(pages));
});

test("sort keys are the exact numbers and texts of the pages, or null", async () => {
  const numbers = [-Number.MAX_VALUE, -0.1 - 0.2, 5e-324, 1 / 3, 123456789.12345678, 2 ** 53, 1e300];
  const texts = ["1.0", '5" \\n', "nan", "\u{1f600}\u0001é"];
  const store = await openTestStore(":memory:");
  const { workspaceId, databaseId } = await addDatabase(store);
  const title = (content: string) => ({ title: [plainRun(content)] });
  const values: StoredProperties[] = [{}, ...numbers.map((pnts) => ({ pnts })), ...texts.map(title)];
  await store.write(workspaceId, async (scope) => {
    for (const properties of values) {
      const page = emptyPage(databaseId, { properties });
      await insertPage(scope, page);
      await insertPropertyValues(scope, [{ ...page, databaseId }], schema.definitions);
    }
  });
  const readKeys = async (kind: "number" | "text", name: string) => {
    const property = schema.byName.get(name);
    if (property === undefined) throw new Error(`The schema has no ${name}.`);
    const rows = await readPageList(readScope(store, workspaceId), {
      pageSet: { databaseId, inTrash: false },
      condition: MATCH_ALL,
      sorts: [{ key: { kind, property }, descending: false }],
      after: undefined,
      count: 100,
    });
    return rows.map((row) => row.values[0]);
  };
  const without = (count: number) => Array.from({ length: count }, () => null);
  expect(await readKeys("number", "Points")).toEqual([...numbers, ...without(1 + texts.length)]);
  expect(await readKeys("text", "Title")).toEqual([...texts, ...without(1 + numbers.length)]);
});
