import { DAY_MS, HOUR_MS, MINUTE_MS } from "../budgets.js";

const UNIT_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** Parses a duration such as 30m, 12h or 90d into milliseconds; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const [, count = "", unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  return unitMs === undefined ? undefined : Number(count) * unitMs;
}

/** Formats milliseconds as the duration that `parseDuration` reads, in the largest unit that fits. */
export function formatDuration(milliseconds: number): string {
  const [unit = "m", unitMs = MINUTE_MS] =
    Object.entries(UNIT_MS).findLast(([, size]) => milliseconds >= size && milliseconds % size === 0) ?? [];
  return `${milliseconds / unitMs}${unit}`;
}
