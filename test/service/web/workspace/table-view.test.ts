import { expect, test } from "vitest";
import type { Database } from "../../../../src/web/pages/workspace/object-list.js";
import { buildTableQuery } from "../../../../src/web/pages/workspace/table-query.js";
import { parseTableView, restrictColumns } from "../../../../src/web/pages/workspace/table-view.js";

test.each([
  ["contains", " ", undefined],
  ["contains", " a", { property: "Name", condition: "contains", value: " a" }],
  ["is_empty", "", { property: "Name", condition: "is_empty", value: "" }],
])("the condition %s with the value %j filters unless every text meets it", (condition, value, filter) => {
  expect(parseTableView(new URLSearchParams({ filter: "Name", condition, value })).filter).toEqual(filter);
});

test.each(["50", "50%", "50 %", "+50"])("%s is compared with percentages as one half", (value) => {
  const number = { id: "abcd", name: "Progress", type: "number", number: { format: "percent" } } as const;
  // The cast: filters read only the properties of a database.
  const database = { properties: { Progress: number } } as unknown as Database;
  const view = parseTableView(new URLSearchParams({ filter: "Progress", condition: "equals", value }));
  expect(buildTableQuery(view, database).filter).toEqual({ property: "Progress", number: { equals: 0.5 } });
});

test("a view has each column of the database once, with the title, and no others", () => {
  const properties = Object.fromEntries(
    ["Name", "Kind", "Price"].map((name) => [name, { type: name === "Name" ? "title" : "number" }]),
  );
  // The cast: columns depend only on the names and types of properties.
  const database = { properties } as unknown as Database;
  const restrict = (query: string): readonly string[] | undefined =>
    restrictColumns(parseTableView(new URLSearchParams(query)), database).columns;
  expect(restrict("column=Price&column=x&column=Price&column=x&column=")).toEqual(["Name", "Price"]);
  expect(restrict("column=x")).toEqual(["Name"]);
  expect(restrict("")).toBeUndefined();
});
