import { expect, test } from "vitest";
import { MAX_NESTING } from "../../../scripts/load/limits.js";
import { sortKeys } from "../../../scripts/load/sort-keys.js";

test.each([
  [MAX_NESTING, ["a", "b"]],
  [MAX_NESTING + 1, ["b", "a"]],
])("the keys of an object on level %i have the order %j", (level, keys) => {
  const list = [{ b: 1, a: 2 }];
  let root: object = list;
  for (let count = 2; count < level; count += 1) root = [root];
  sortKeys(root);
  expect(list.map(Object.keys)).toEqual([keys]);
});
