import { expect, test } from "vitest";
import { splitByBytes, takeWithinLimit } from "../../src/lists.js";

const getSize = (size: number): number => size;

test.each([
  [6, [2, 3, 1]],
  [5, [2, 3]],
  [4, [2]],
  [1, [2]],
])("of the sizes 2, 3 and 1, a limit of %d takes %j", (limit, expected) => {
  expect(takeWithinLimit([2, 3, 1], limit, getSize)).toEqual(expected);
});

test("elements are split into parts of at most some bytes; a larger element is alone", () => {
  expect(splitByBytes([2, 3, 9, 1, 4, 1], 5, getSize)).toEqual([[2, 3], [9], [1, 4], [1]]);
  expect(splitByBytes([], 5, getSize)).toEqual([]);
});
