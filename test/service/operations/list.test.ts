import { expect, test } from "vitest";
import { MAX_RESPONSE_BYTES } from "../../../src/budgets.js";
import { createListPart, createListResult } from "../../../src/operations/list-parts.js";

const elements = ["a", "b", "c", "d"].map((id) => ({ id }));
/** Two of these fit into a response. */
const text = "x".repeat(0.4 * MAX_RESPONSE_BYTES);

test.for<[string, string[], string[], string | null]>([
  ["all bodies that fit", ["a", "b"], ["a", "b"], "after c"],
  ["no more than fit, and continues after them", ["a", "b", "c"], ["a", "b"], "after b"],
  ["what is left of deleted elements, and continues after it", ["b", "c"], ["b", "c"], "after c"],
])("a list returns %s", ([, bodies, shown, nextCursor]) => {
  const part = createListPart(elements, 3, ({ id }) => `after ${id}`);
  const result = createListResult(
    part,
    bodies.map((id) => ({ id, text })),
  );
  expect([result.results.map(({ id }) => id), result.nextCursor]).toEqual([shown, nextCursor]);
});

test("a list whose end fits into a response has no next part", () => {
  const part = createListPart(elements, 4, ({ id }) => `after ${id}`);
  expect(createListResult(part, elements)).toEqual({ results: elements, nextCursor: null });
});
