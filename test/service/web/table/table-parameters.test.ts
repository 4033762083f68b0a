import { expect, test } from "vitest";
import { buildTableQuery } from "../../../../src/web/table/table-query.js";
import { parseTableParameters, restrictColumns } from "../../../../src/web/table/table-parameters.js";
import type { DatabaseBody } from "../../../../src/operations/present/database.js";

test.each([
  ["contains", " ", undefined],
  ["does_not_contain", "", undefined],
  ["contains", " a ", { property: "Name", condition: "contains", value: "a" }],
  ["is_empty", "", { property: "Name", condition: "is_empty", value: "" }],
])("the condition %s with the value %j filters unless every text meets it", (condition, value, filter) => {
  expect(parseTableParameters(new URLSearchParams({ filter: "Name", condition, value })).filter).toEqual(
    filter,
  );
});

/** Builds the query for the numbers that are more than a value. */
function filterByNumber(format: "number" | "percent", value: string): ReturnType<typeof buildTableQuery> {
  const number = { id: "abcd", name: "Amount", type: "number", number: { format } } as const;
  // The cast: filters read only the properties of a database.
  const database = { properties: { Amount: number } } as unknown as DatabaseBody;
  const view = parseTableParameters(
    new URLSearchParams({ filter: "Amount", condition: "greater_than", value }),
  );
  return buildTableQuery(view, database);
}

test.each(["50", "50%", "50 %", "+50"])("%s is compared with percentages as one half", (value) => {
  const filter = { property: "Amount", number: { greater_than: 0.5 } };
  expect(filterByNumber("percent", value).filter).toEqual(filter);
});

test.each([
  ["20,000", 20_000],
  ["1,234,567.8", 1_234_567.8],
  ["-1,234", -1234],
  ["-$1,234.50", -1234.5],
  ["CHF 1 234 567", 1_234_567],
  ["1,200 %", 12],
])("the number %s is read with separators between thousands", (value, number) => {
  expect(filterByNumber("number", value)).toEqual({
    filter: { property: "Amount", number: { greater_than: number } },
  });
});

test.each(["1234,567", "12,5", "0,125", "1,2345", "1,234,5678", "1.234,567", "1,234 567", ",500", "12 5"])(
  "%s is not a number, because its separators are not between thousands",
  (value) => {
    expect(filterByNumber("number", value)).toEqual({
      filterProblem: { field: "value", message: "Enter a number such as 12.5 to filter by “Amount”." },
    });
  },
);

test.each([
  [0, "It has no options yet."],
  [10, "Its options are “0”, “1”, “2”, “3”, “4”, “5”, “6”, “7”, “8”, “9”."],
])("the message about an unknown option of a property with %i options names these", (count, sentence) => {
  const options = Array.from({ length: count }, (_, index) => ({ name: `${index}` }));
  const select = { id: "abcd", name: "Stage", type: "select", select: { options } };
  // The cast: filters read only the properties of a database.
  const database = { properties: { Stage: select } } as unknown as DatabaseBody;
  const view = parseTableParameters(
    new URLSearchParams({ filter: "Stage", condition: "equals", value: "Done" }),
  );
  expect(buildTableQuery(view, database)).toEqual({
    filterProblem: { field: "value", message: `“Stage” has no option “Done”. ${sentence}` },
  });
});

test("a view has each column of the database once, with the title, and no others", () => {
  const properties = Object.fromEntries(
    ["Name", "Kind", "Price"].map((name) => [name, { type: name === "Name" ? "title" : "number" }]),
  );
  // The cast: columns depend only on the names and types of properties.
  const database = { properties } as unknown as DatabaseBody;
  const restrict = (query: string): readonly string[] | undefined =>
    restrictColumns(parseTableParameters(new URLSearchParams(query)), database).columns;
  expect(restrict("column=Price&column=x&column=Price&column=x&column=")).toEqual(["Name", "Price"]);
  expect(restrict("column=x")).toEqual(["Name"]);
  expect(restrict("")).toBeUndefined();
});
