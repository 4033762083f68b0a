import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { releaseMemoryWhenIdle } from "../../../src/cli/idle-memory.js";
import { TEST_TIMEOUT_MS } from "../../support/load.js";

const INTERVAL_MS = 200;

test("a process that becomes idle after work collects its garbage", async () => {
  onTestFinished(releaseMemoryWhenIdle(() => {}, INTERVAL_MS));
  const garbage = new WeakRef({ text: "x".repeat(1000) });
  for (let turn = 0; turn < 5; turn += 1) {
    const end = performance.now() + INTERVAL_MS;
    while (performance.now() < end);
    await sleep(1);
  }
  // A function that returns a boolean, because an assertion keeps a reference to its value.
  const isCollected = (): boolean => garbage.deref() === undefined;
  expect(isCollected()).toBe(false);
  await vi.waitFor(() => expect(isCollected()).toBe(true), {
    timeout: TEST_TIMEOUT_MS / 2,
    interval: INTERVAL_MS,
  });
});
