import { expect, test } from "vitest";
import { RenderBudget } from "../../../../src/web/render/budget.js";

test("a page typesets at most 500 equations", () => {
  const budget = new RenderBudget();
  const reserved = Array.from({ length: 502 }, () => budget.reserveEquation());
  expect(reserved.lastIndexOf(true)).toBe(499);
});
