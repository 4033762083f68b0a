import { expect, test } from "vitest";
import type { StoredProperties } from "../../../../src/domain/properties/stored-values.js";
import { MATCH_ALL } from "../../../../src/domain/query/condition.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { insertPropertyValues } from "../../../../src/storage/pages/property-values.js";
import { readPageList } from "../../../../src/storage/query/read-page-list.js";
import { emptyPage, plainRun } from "../../../support/objects.js";
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
