import { expect, test } from "vitest";
import { RenderBudget } from "../../../../src/web/content/budget.js";
import { renderPropertyValue } from "../../../../src/web/content/property-value.js";
import { html } from "../../../../src/web/html.js";

test.each([
  [false, "Tea list"],
  [true, "Tea list, …"],
])("a relation with further links (%s) shows %s", (hasMore, shown) => {
  const id = "00000000-0000-7000-9000-000000000001";
  const context = {
    budget: new RenderBudget(),
    titles: new Map([[id, "Tea list"]]),
    numberFormats: new Map(),
  };
  const value = { id: "links", type: "relation" as const, relation: [{ id }], has_more: hasMore };
  const markup = String(html`${renderPropertyValue(value, context)}`);
  expect(markup.replaceAll(/<[^>]*>/g, "")).toBe(shown);
});
