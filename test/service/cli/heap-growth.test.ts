import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const HEAP_GROWTH = new URL("../../../src/cli/heap-growth.ts", import.meta.url).href;

/** Keeps about 50 MB, allocates gigabytes that survive a while, and prints the largest heap in relation to what is kept: 3.3, and 6.3 without the limit. */
const PROGRAM = `
  const { limitHeapGrowth } = await import(process.argv[1]);
  limitHeapGrowth();
  const kept = Array.from({ length: 400_000 }, (_, index) => ({ index, list: [index] }));
  // In use as well when garbage is collected.
  const recent = new Array(200_000);
  const measure = () => process.memoryUsage().heapUsed;
  let largest = 0;
  for (let count = 0; count < 10_000_000; count += 1) {
    recent[count % recent.length] = { count, list: [count, count] };
    if (count % 100_000 === 0) largest = Math.max(largest, measure());
  }
  globalThis.gc();
  console.log(largest / measure(), kept.length);
`;

test("the heap grows to about twice the memory in use, so that it stays small during an attack", async () => {
  const args = ["--expose-gc", "--import", "tsx", "--input-type=module", "--eval", PROGRAM, HEAP_GROWTH];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(parseFloat(stdout)).toBeLessThan(4.5);
});
