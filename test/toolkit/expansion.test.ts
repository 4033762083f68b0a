import { expect, test } from "vitest";
import { limitExpansion } from "../../scripts/expansion.js";

test.each([
  [1, 4_000_000],
  [400_000, 4_000_000],
  [400_001, 4_000_010],
])("a document of %i characters may stand for %i", (written, limit) => {
  expect(limitExpansion(written)).toBe(limit);
});
