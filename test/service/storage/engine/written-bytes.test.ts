import { CompiledQuery } from "kysely";
import { expect, test } from "vitest";
import { estimateGrowthBytes } from "../../../../src/storage/engine/written-bytes.js";

test("a statement adds the bytes of its texts and of its binary values", () => {
  const estimate = (value: unknown) =>
    estimateGrowthBytes(CompiledQuery.raw("insert into t values (?)", [value]));
  const bytes = estimate(1);
  expect(estimate("é")).toBe(bytes + 3 * 2);
  expect(estimate(new Uint8Array(5))).toBe(bytes + 3 * 5);
});
