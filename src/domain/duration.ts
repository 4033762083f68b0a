const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a duration such as 30m, 12h or 90d into milliseconds; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const [, count = "", unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  return unitMs === undefined ? undefined : Number(count) * unitMs;
}

/** Formats milliseconds as the duration that `parseDuration` reads, in the largest unit that fits. */
export function formatDuration(milliseconds: number): string {
  const [unit = "m", unitMs = 60_000] =
    Object.entries(UNIT_MS).findLast(([, size]) => milliseconds >= size && milliseconds % size === 0) ?? [];
  return `${milliseconds / unitMs}${unit}`;
}
