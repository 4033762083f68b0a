import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Lets V8's heap grow to twice the memory in use before garbage is collected, instead of up to four times: with 110 MB of
 * waiting requests it grew to 460 MB, beyond the documented memory of the process.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString("--heap-growing-percent=100");
}

/** Interval between two measurements of the event loop. */
const CHECK_INTERVAL_MS = 5000;

/** Highest event-loop utilization, from 0 to 1, at which the process counts as idle. */
const MAX_IDLE_UTILIZATION = 0.05;

/** Consecutive idle intervals before the collection. V8 sometimes collects by itself in this time. */
const IDLE_INTERVALS = 4;

/**
 * Releases memory whenever a busy process has become idle: the caches that `releaseCaches` frees, and garbage. V8 collects only
 * when memory is allocated, so an idle process would keep the garbage of its last requests. Returns a function that stops it.
 */
export function releaseMemoryWhenIdle(releaseCaches: () => void, intervalMs = CHECK_INTERVAL_MS): () => void {
  setFlagsFromString("--expose-gc");
  // Safe cast: the flag defines the function in new contexts.
  const collectGarbage = runInNewContext("gc") as () => void;
  let last = performance.eventLoopUtilization();
  let idleIntervals = IDLE_INTERVALS;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    idleIntervals = utilization > MAX_IDLE_UTILIZATION ? 0 : idleIntervals + 1;
    if (idleIntervals !== IDLE_INTERVALS) return;
    releaseCaches();
    collectGarbage();
    // The finalizers of the first collection free more, such as the buffers of closed connections.
    setImmediate(collectGarbage);
  }, intervalMs).unref();
  return () => clearInterval(timer);
}
