import { DAY_MS, HOUR_MS, MINUTE_MS } from "../budgets.js";

const UNIT_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** Parses a duration such as 30m, 12h or 90d into milliseconds; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const [, count = "", unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  return unitMs === undefined ? undefined : Number(count) * unitMs;
}

/** Describes a number of seconds for people, in the largest unit that fits, rounded up: `1 second`, `24 hours`. */
export function describeSeconds(seconds: number): string {
  const [unit, size] = seconds > 5400 ? ["hour", 3600] : seconds > 90 ? ["minute", 60] : ["second", 1];
  const count = Math.ceil(seconds / size);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
