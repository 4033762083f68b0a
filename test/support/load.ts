import { availableParallelism, loadavg } from "node:os";

/** Minutes that `npm test` takes on two idle cores, without the additional tests of CI. Measure again after large changes. */
const IDLE_MINUTES = 17;

/**
 * Factor by which tests may be slower than on an idle machine: the load average per core, at least 1. It is read once, at
 * the start of a run.
 */
const slowdown = Math.max(loadavg()[0] ?? 0, 1, availableParallelism()) / availableParallelism();

/**
 * Timeout for hanging tests. It measures no speed, so that a slow machine fails no test. At a load of 25 that began after the
 * start of a run, the slowest test took four minutes.
 */
export const TEST_TIMEOUT_MS = Math.round(600_000 * slowdown);

/** Describes how long a complete run may take on this machine now. */
export function describeDuration(): string {
  const minutes = Math.ceil((IDLE_MINUTES * 2 * slowdown) / Math.min(availableParallelism(), 4));
  const load = slowdown > 1 ? `, ${slowdown.toFixed(1)} times as busy as it has cores` : "";
  return `All tests may take ${minutes} minutes on this machine${load}. A test that takes ${Math.round(TEST_TIMEOUT_MS / 60_000)} minutes counts as hanging.`;
}
