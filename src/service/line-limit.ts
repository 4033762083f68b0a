import type { Logger } from "pino";
import { MAX_ANONYMOUS_LINES_PER_SECOND } from "../budgets.js";

/**
 * Limits log lines that anybody can cause. Returns a function that chooses the level of the next line: `level`, or debug after
 * MAX_ANONYMOUS_LINES_PER_SECOND lines in a second. After such a second, the number of omitted lines is logged before the next line.
 *
 * @param level level of the lines within the limit
 * @param subject what the lines are about, in the plural
 */
export function createLineLimit<Level extends "info" | "warn">(
  logger: Logger,
  level: Level,
  subject: string,
): () => Level | "debug" {
  let second = 0;
  let count = 0;
  return () => {
    if (logger.isLevelEnabled("debug")) return level;
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) {
      const omitted = count - MAX_ANONYMOUS_LINES_PER_SECOND;
      if (omitted > 0) logger[level]({ omitted }, `${subject} that were not logged`);
      second = now;
      count = 0;
    }
    count += 1;
    return count <= MAX_ANONYMOUS_LINES_PER_SECOND ? level : "debug";
  };
}
