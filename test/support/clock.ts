import { onTestFinished, vi } from "vitest";

/**
 * Stops `Date` until the test is over, so that nothing expires on a slow machine. `vi.setSystemTime` moves it. Timers continue.
 *
 * @returns the frozen time in milliseconds since 1970
 */
export function freezeDate(): number {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  return Date.now();
}

/**
 * Stops the clock of this process until the test is over, so that no window of a rate limit ends while a slow machine sends
 * requests. `vi.advanceTimersByTime` moves it. Sockets and files keep their own timers.
 */
export function freezeClock(): void {
  vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout", "clearTimeout"] });
  onTestFinished(() => {
    // A write that waits for others would otherwise wait forever.
    vi.runOnlyPendingTimers();
    vi.useRealTimers();
  });
}
