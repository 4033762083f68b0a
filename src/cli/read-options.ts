import { UsageError } from "./usage.js";

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Reads a number of requests a minute.
 *
 * @throws UsageError when it is none
 */
export function readLimit(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) {
    throw new UsageError(`--limit must be a whole number of requests a minute, not ${JSON.stringify(text)}.`);
  }
  return Number(text);
}

/**
 * Reads a duration such as 30m, 12h or 90d, and gives milliseconds.
 *
 * @throws UsageError when it is none
 */
export function readDuration(option: string, text: string): number {
  const [, number = "", unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const milliseconds = UNITS[unit];
  if (milliseconds === undefined) {
    throw new UsageError(`${option} must be a time such as 30m, 12h or 90d, not ${JSON.stringify(text)}.`);
  }
  return Number(number) * milliseconds;
}
