import { expect, test } from "vitest";
import { suggestName } from "../../scripts/text.js";

test.each([
  ["contnt", ["context", "content"], "content"],
  ["Content", ["content"], "content"],
  ["abcd", ["abxy"], "abxy"],
  ["abcd", ["axyz"], undefined],
  ["in", ["integer"], undefined],
  ["integer", ["in"], undefined],
  ["content", ["content", "context"], undefined],
  ["gte", ["put", "get"], "get"],
])("for %j among %j suggests %j", (mistyped, names, expected) => {
  expect(suggestName(mistyped, names)).toBe(expected);
});

const [LONG, LONGER] = ["a".repeat(60), "a".repeat(61)];

test.each([
  [`${LONG.slice(1)}b`, [LONG], LONG],
  [`${LONG}b`, [LONG], undefined],
  [LONG, [LONGER], undefined],
])("compares names of at most 60 characters: %j, %j", (mistyped, names, expected) => {
  expect(suggestName(mistyped, names)).toBe(expected);
});

test("compares at most the given number of names, and prefers the first of those that are equally similar", () => {
  expect(suggestName("abcx", ["abcd", "abce"], 2)).toBe("abcd");
  expect(suggestName("abcx", ["abcd", "abce"], 1)).toBeUndefined();
});
