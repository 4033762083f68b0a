import { DAY_MS, HOUR_MS, MINUTE_MS } from "../units.js";

const UNIT_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/** Parses a duration such as 30m, 12h or 90d into milliseconds; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const [, count = "", unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  return unitMs === undefined ? undefined : Number(count) * unitMs;
}

/** Formats a duration for people: in seconds up to 90, then in minutes up to 90, then in hours. Rounds up. */
export function describeSeconds(seconds: number): string {
  if (seconds === 1) return "1 second";
  if (seconds <= 90) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
