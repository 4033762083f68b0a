import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Interval between two measurements of the event loop. */
const CHECK_INTERVAL_MS = 5000;

/** Highest event-loop utilization, from 0 to 1, at which the process counts as idle. */
const MAX_IDLE_UTILIZATION = 0.05;

/** Consecutive idle intervals before the collection. V8 sometimes collects by itself in this time. */
const IDLE_INTERVALS = 4;

/**
 * Collects garbage once whenever a busy process has become idle. V8 collects only when memory is allocated, so an idle
 * process would keep the garbage of its last requests: 255 instead of 149 MB in the soak test.
 *
 * @returns A function that stops the measurements.
 */
export function collectGarbageWhenIdle(intervalMs = CHECK_INTERVAL_MS): () => void {
  setFlagsFromString("--expose-gc");
  // The cast: the flag defines the function in new contexts.
  const collectGarbage = runInNewContext("gc") as () => void;
  let last = performance.eventLoopUtilization();
  let idleIntervals = IDLE_INTERVALS;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    idleIntervals = utilization > MAX_IDLE_UTILIZATION ? 0 : idleIntervals + 1;
    if (idleIntervals === IDLE_INTERVALS) collectGarbage();
  }, intervalMs).unref();
  return () => clearInterval(timer);
}
