import type { Comparison } from "../compare.js";
import { formatSpeed, type Row } from "../table.js";
import { formatMicros } from "./latency.js";

/** Creates a row that compares two throughputs. Without a target it is for information. */
export function createRatioRow(
  what: string,
  found: Comparison,
  beside: string,
  target: number | undefined,
): Row {
  return {
    what,
    figure: formatSpeed(found.left, found.leftMicros),
    beside: `${formatSpeed(found.right, found.rightMicros)} ${beside}`,
    ratio: `${found.ratio.toFixed(2)}x`,
    target: target === undefined ? "" : `at least ${target}x`,
    met: target === undefined || found.ratio >= target,
  };
}

/** Creates a row that compares two times in microseconds. Without a `most` ratio it is for information. */
export function createTimeRow(
  what: string,
  time: number,
  other: number,
  beside: string,
  most: number | undefined,
): Row {
  const ratio = time / other;
  return {
    what,
    figure: formatMicros(time),
    beside: `${formatMicros(other)} ${beside}`,
    ratio: `${ratio.toFixed(2)}x`,
    target: most === undefined ? "" : `at most ${most}x`,
    met: most === undefined || ratio <= most,
  };
}

/** Creates the row of a failed measurement, which counts as missed. */
export function createFailedRow(what: string, error: unknown): Row {
  const text = error instanceof Error ? error.message : String(error);
  return { what, figure: "failed", beside: text.slice(0, 100), ratio: "", target: "", met: false };
}
