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
