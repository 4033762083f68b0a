import { expect, test } from "vitest";
import { MAX_KEY_LENGTH } from "../../../../src/domain/properties/index-rows.js";
import { needsTextScan } from "../../../../src/storage/query/index-lookups.js";

test("a text that is as long as a key needs a scan, because many longer texts can begin with it", () => {
  for (const operator of ["equals", "starts_with"] as const) {
    const needsScan = (length: number) => needsTextScan({ kind: "text", operator, text: "x".repeat(length) });
    expect([needsScan(MAX_KEY_LENGTH - 1), needsScan(MAX_KEY_LENGTH)]).toEqual([false, true]);
  }
});
