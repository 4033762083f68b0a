import { InvalidArgumentError } from "commander";

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Parses a request limit.
 *
 * @throws InvalidArgumentError when the text is not a whole number.
 */
export function parseLimit(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("Use a whole number of requests per minute.");
  return Number(text);
}

/**
 * Parses a duration such as 30m, 12h or 90d into milliseconds.
 *
 * @throws InvalidArgumentError when the text is not a duration.
 */
export function parseDuration(text: string): number {
  const [, count = "", unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  if (unitMs === undefined) throw new InvalidArgumentError("Use a duration such as 30m, 12h or 90d.");
  return Number(count) * unitMs;
}

/** Formats milliseconds as the duration that `parseDuration` reads, in the largest unit that fits. */
export function formatDuration(milliseconds: number): string {
  const [unit = "m", unitMs = 60_000] =
    Object.entries(UNIT_MS).findLast(([, size]) => milliseconds >= size && milliseconds % size === 0) ?? [];
  return `${milliseconds / unitMs}${unit}`;
}
