import { expect, test } from "vitest";
import { decodePercent, findValue } from "../../scripts/json.js";

test("a JSON pointer leads to own values only", () => {
  const root = { a: [{ "b/~1": 1 }] };
  expect(findValue(root, "")).toBe(root);
  expect(findValue(root, "/a/0/b~1~01")).toBe(1);
  for (const pointer of ["/b", "/a/1", "/a/0/b~1~01/c", "/constructor", "/a/map", "/a/0/toString"])
    expect(findValue(root, pointer), pointer).toBeUndefined();
});

test.each([
  ["B%2EC", "B.C"],
  ["%7B%C3%A9%7D", "{é}"],
  ["100%", "100%"],
  ["%2E%ZZ", "%2E%ZZ"],
  ["%E9", "%E9"],
])("the fragment %s is decoded to %s", (text, decoded) => {
  expect(decodePercent(text)).toBe(decoded);
});
