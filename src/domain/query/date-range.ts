import { DAY_MS } from "../../units.js";
import { requireDate, toInstant } from "../properties/dates.js";
import { createPointRange, type Range } from "./condition.js";

/** Ranges of the operators that compare with a date. `start` is its first millisecond, `end` the first millisecond after it. */
const DATE_RANGES: Readonly<Record<string, (start: number, end: number) => Range>> = {
  equals: (start, end) => (end === start + 1 ? createPointRange(start) : createRange(start, end)),
  before: (start) => ({ to: { value: start, exclusive: true } }),
  on_or_before: (_start, end) => ({ to: { value: end, exclusive: true } }),
  after: (_start, end) => ({ from: { value: end, exclusive: false } }),
  on_or_after: (start) => ({ from: { value: start, exclusive: false } }),
};

/**
 * Returns the range of times that an operator selects; undefined for an operator that compares with no date. A date stands for the
 * whole day in UTC, and a time for its millisecond, in UTC if it has no offset. Throws a DomainError (validation) for a date that
 * does not exist.
 */
export function toDateRange(operator: string, text: string, path: string): Range | undefined {
  const toRange = DATE_RANGES[operator];
  if (toRange === undefined) return undefined;
  const date = requireDate(text, path);
  const start = toInstant(date, null);
  return toRange(start, date.hasTime ? start + 1 : start + DAY_MS);
}

/** Ranges of the operators that are relative to the current time. `today` is the first millisecond of the day. */
const RELATIVE_RANGES: Readonly<Record<string, (today: number, now: number) => Range>> = {
  past_week: (today, now) => createRange(today - 7 * DAY_MS, now + 1),
  past_month: (today, now) => createRange(addMonths(today, -1), now + 1),
  past_year: (today, now) => createRange(addMonths(today, -12), now + 1),
  this_week(today) {
    const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * DAY_MS;
    return createRange(monday, monday + 7 * DAY_MS);
  },
  next_week: (today) => createRange(today, today + 8 * DAY_MS),
  next_month: (today) => createRange(today, addMonths(today, 1) + DAY_MS),
  next_year: (today) => createRange(today, addMonths(today, 12) + DAY_MS),
};

/**
 * Returns the range of times that a relative operator selects, in days of UTC; undefined for any other operator. `past_…` starts
 * with the day one week, month or year ago and ends now; `next_…` starts today and ends with the day one week, month or year
 * ahead; `this_week` starts on Monday.
 *
 * @param now milliseconds since 1970
 */
export function toRelativeDateRange(operator: string, now: number): Range | undefined {
  return RELATIVE_RANGES[operator]?.(Math.floor(now / DAY_MS) * DAY_MS, now);
}

/** Whether the pages that meet a filter may change with time: true when it contains the name of a relative operator. */
export function mayChangeWithTime(filter: unknown): boolean {
  const json = JSON.stringify(filter) ?? "";
  return Object.keys(RELATIVE_RANGES).some((operator) => json.includes(`"${operator}"`));
}

/** @param end first millisecond after the range */
function createRange(from: number, end: number): Range {
  return { from: { value: from, exclusive: false }, to: { value: end, exclusive: true } };
}

/** Returns the same day of another month, or the last day of a shorter month. */
function addMonths(day: number, months: number): number {
  const date = new Date(day);
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
  const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate();
  return first + (Math.min(date.getUTCDate(), length) - 1) * DAY_MS;
}
