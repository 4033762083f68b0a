import type { Logger } from "pino";
import { MAX_ANONYMOUS_LINES_PER_SECOND } from "../budgets.js";

/**
 * Creates a function that returns the level of a line that anybody can cause: debug for those beyond MAX_ANONYMOUS_LINES_PER_SECOND.
 * The next line in another second is preceded by the number of those.
 *
 * @param level level of the other lines
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
