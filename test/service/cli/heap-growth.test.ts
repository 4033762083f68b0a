import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const MODULE = new URL("../../../dist/src/cli/heap-growth.js", import.meta.url).href;

/** Replaces 30 MB of strings again and again, and prints the largest heap in MB: about 150 without a limit. */
const PROGRAM = `
  import { createHeapGrowthLimit } from "${MODULE}";
  const strings = [];
  let peak = 0;
  createHeapGrowthLimit()();
  for (let count = 0; count < 200_000; count += 1) {
    strings[count % 15_000] = ("x".repeat(1999) + count).toUpperCase();
    if (count % 1000 === 0) peak = Math.max(peak, process.memoryUsage().heapUsed);
  }
  console.log(Math.round(peak / 1e6));
`;

test("after a large response the heap grows by half of what is alive", async () => {
  const args = ["--max-semi-space-size=8", "--input-type=module", "--eval", PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(Number(stdout)).toBeLessThan(100);
});
