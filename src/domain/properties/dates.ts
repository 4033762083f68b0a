import type { DateValue } from "./date-value.js";

const DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

const MINUTE = 60_000;

/** A date of a request, taken apart. */
export interface ParsedDate {
  /** The time that its figures mean in UTC, whatever the zone, in milliseconds since 1970. */
  readonly local: number;
  /** Minutes that the zone is ahead of UTC; undefined when the text names none. */
  readonly offset: number | undefined;
  /** Whether it names a time, not only a day. */
  readonly hasTime: boolean;
}

/**
 * Reads a date: `2026-05-04`, or with a time, which may have an offset.
 *
 * @returns undefined when it is none, or not in the calendar
 */
export function parseDate(text: string): ParsedDate | undefined {
  const match = DATE.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second = "0", fraction = "0", zone] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  if (hour === undefined) return { local: date.getTime(), offset: undefined, hasTime: false };
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const milliseconds = Math.floor(Number(`0.${fraction}`) * 1000);
  const local = date.setUTCHours(Number(hour), Number(minute), Number(second), milliseconds);
  const offset = zone === undefined ? undefined : parseOffset(zone);
  return offset === null ? undefined : { local, offset, hasTime: true };
}

/** Minutes ahead of UTC; null for an offset that no clock has. */
function parseOffset(zone: string): number | null {
  if (zone.toUpperCase() === "Z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

/**
 * When a date begins, in milliseconds since 1970: of a day its first moment in UTC, of a time without an offset that
 * moment in the time zone, or in UTC when there is none.
 */
export function instantOf(date: ParsedDate, timeZone: string | null): number {
  if (!date.hasTime) return date.local;
  if (date.offset !== undefined) return date.local - date.offset * MINUTE;
  return timeZone === null ? date.local : date.local - offsetAt(date.local, timeZone);
}

/** When a stored date begins, see instantOf. */
export function startOf(value: DateValue): number {
  return instantIn(value.start, value.time_zone);
}

/** When a stored date ends; where it begins when it has no end. */
export function endOf(value: DateValue): number {
  return instantIn(value.end ?? value.start, value.time_zone);
}

function instantIn(text: string, timeZone: string | null): number {
  const date = parseDate(text);
  // Dates were checked when they were written.
  return date === undefined ? Number.NaN : instantOf(date, timeZone);
}

/** How far a zone is ahead of UTC when its clocks show `local`, in milliseconds. */
function offsetAt(local: number, timeZone: string): number {
  // A guess that is off by the hour that clocks are changed by is put right by the second look.
  const guess = offsetOf(local, timeZone);
  return offsetOf(local - guess, timeZone);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(timeZone, format);
  }
  return format;
}

function offsetOf(instant: number, timeZone: string): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(instant)) parts[type] = value;
  const shown = new Date(0);
  const year = parts.era === "BC" ? 1 - Number(parts.year) : Number(parts.year);
  shown.setUTCFullYear(year, Number(parts.month) - 1, Number(parts.day));
  shown.setUTCHours(Number(parts.hour), Number(parts.minute), Number(parts.second));
  return shown.getTime() - Math.floor(instant / 1000) * 1000;
}

/** Whether a text is the name of a time zone of the IANA database. */
export function isTimeZone(name: string): boolean {
  // Offsets are no names, though some versions of the runtime take them.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}
