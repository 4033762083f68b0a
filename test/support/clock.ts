import { onTestFinished, vi } from "vitest";

/**
 * Stops the clock of this process until the test is over, so that no window of a rate limit ends while a slow machine sends
 * requests. `vi.advanceTimersByTime` moves it. Sockets and files keep their own timers.
 */
export function freezeClock(): void {
  vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}
