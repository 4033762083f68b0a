import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { releaseMemoryWhenIdle } from "../../../src/cli/memory.js";
import { TEST_TIMEOUT_MS } from "../../support/load.js";

const INTERVAL_MS = 200;

let isCollected = false;
// A registry instead of a WeakRef, which keeps its value for as long as a test reads it.
const registry = new FinalizationRegistry(() => (isCollected = true));

test("a process that becomes idle after work collects its garbage", async () => {
  onTestFinished(releaseMemoryWhenIdle(() => {}, INTERVAL_MS));
  registry.register({ text: "x".repeat(1000) }, undefined);
  for (let turn = 0; turn < 5; turn += 1) {
    const end = performance.now() + INTERVAL_MS;
    while (performance.now() < end);
    await sleep(1);
  }
  await vi.waitFor(() => expect(isCollected).toBe(true), { timeout: TEST_TIMEOUT_MS / 2, interval: 50 });
});

test("memory is released once when a process has been idle for four intervals after work, and not before its first work", () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  let utilization = 0;
  vi.spyOn(performance, "eventLoopUtilization").mockImplementation(() => ({
    idle: 0,
    active: 0,
    utilization,
  }));
  onTestFinished(() => void vi.restoreAllMocks());
  const releaseCaches = vi.fn<() => void>();
  onTestFinished(releaseMemoryWhenIdle(releaseCaches, INTERVAL_MS));
  vi.advanceTimersByTime(10 * INTERVAL_MS);
  expect(releaseCaches).not.toHaveBeenCalled();
  utilization = 0.06;
  vi.advanceTimersByTime(INTERVAL_MS);
  utilization = 0.05;
  vi.advanceTimersByTime(3 * INTERVAL_MS);
  expect(releaseCaches).not.toHaveBeenCalled();
  vi.advanceTimersByTime(10 * INTERVAL_MS);
  expect(releaseCaches).toHaveBeenCalledOnce();
});

const MODULE = new URL("../../../src/cli/memory.ts", import.meta.url).href;

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
  const args = ["--expose-gc", "--import", "tsx", "--input-type=module", "--eval", PROGRAM, MODULE];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(parseFloat(stdout)).toBeLessThan(4.5);
});
