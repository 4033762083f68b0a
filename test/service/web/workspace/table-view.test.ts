import { expect, test } from "vitest";
import { parseTableView } from "../../../../src/web/pages/workspace/table-view.js";

test.each([
  ["contains", " ", undefined],
  ["contains", " a", { property: "Name", condition: "contains", value: " a" }],
  ["is_empty", "", { property: "Name", condition: "is_empty", value: "" }],
])("the condition %s with the value %j filters unless every text meets it", (condition, value, filter) => {
  expect(parseTableView(new URLSearchParams({ filter: "Name", condition, value })).filter).toEqual(filter);
});
