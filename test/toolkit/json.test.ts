import { expect, test } from "vitest";
import { findValue } from "../../scripts/json.js";

test("a JSON pointer leads to own values only", () => {
  const root = { a: [{ "b/~1": 1 }] };
  expect(findValue(root, "")).toBe(root);
  expect(findValue(root, "/a/0/b~1~01")).toBe(1);
  for (const pointer of ["/b", "/a/1", "/a/0/b~1~01/c", "/constructor", "/a/map", "/a/0/toString"])
    expect(findValue(root, pointer), pointer).toBeUndefined();
});
