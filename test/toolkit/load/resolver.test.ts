import { expect, test } from "vitest";
import { isUrl } from "../../../scripts/load/resolver.js";

test.each([
  ["https://example.test/a.yaml", true],
  ["urn:a", true],
  ["//example.test/a.yaml", true],
  ["\\\\server\\a.yaml", true],
  ["a.yaml", false],
  ["../a/b.yaml", false],
  // The drive of Windows.
  ["C:/a.yaml", false],
])("%s is a URL: %s", (reference, expected) => {
  expect(isUrl(reference)).toBe(expected);
});
