import { DAY_MS } from "../../budgets.js";
import { createInvalidValueError } from "../errors.js";
import { toInstant, parseDate } from "../properties/dates.js";
import { createPointRange, type Range } from "./condition.js";

export const DATE_OPERATORS = ["equals", "before", "after", "on_or_before", "on_or_after"] as const;
type DateOperator = (typeof DATE_OPERATORS)[number];

/**
 * Returns the range of times that an operator selects. A date stands for the whole day in UTC, and a time for its millisecond,
 * in UTC if it has no offset. Throws a DomainError (validation) when `text` is not a date.
 */
export function toDateRange(operator: DateOperator, text: string, path: string): Range {
  const date = parseDate(text);
  if (date === undefined) throw createInvalidValueError(path, "a valid ISO 8601 date string", text);
  const start = toInstant(date, null);
  /** The first millisecond after the date. */
  const end = date.hasTime ? start + 1 : start + DAY_MS;
  switch (operator) {
    case "equals":
      return date.hasTime ? createPointRange(start) : createRange(start, end);
    case "before":
      return { to: { value: start, exclusive: true } };
    case "on_or_before":
      return { to: { value: end, exclusive: true } };
    case "after":
      return { from: { value: end, exclusive: false } };
    case "on_or_after":
      return { from: { value: start, exclusive: false } };
  }
}

export const RELATIVE_OPERATORS = [
  "past_week",
  "past_month",
  "past_year",
  "this_week",
  "next_week",
  "next_month",
  "next_year",
] as const;
export type RelativeOperator = (typeof RELATIVE_OPERATORS)[number];

/**
 * Returns the range of times that a relative operator selects, in days of UTC. `past_…` starts with the day one week,
 * month or year ago and ends now; `next_…` starts today and ends with the day one week, month or year ahead;
 * `this_week` starts on Monday.
 *
 * @param now milliseconds since 1970
 */
export function toRelativeDateRange(operator: RelativeOperator, now: number): Range {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  switch (operator) {
    case "past_week":
      return createPastRange(today - 7 * DAY_MS, now);
    case "past_month":
      return createPastRange(addMonths(today, -1), now);
    case "past_year":
      return createPastRange(addMonths(today, -12), now);
    case "this_week": {
      const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * DAY_MS;
      return createRange(monday, monday + 7 * DAY_MS);
    }
    case "next_week":
      return createRange(today, today + 8 * DAY_MS);
    case "next_month":
      return createRange(today, addMonths(today, 1) + DAY_MS);
    case "next_year":
      return createRange(today, addMonths(today, 12) + DAY_MS);
  }
}

function createPastRange(from: number, now: number): Range {
  return { from: { value: from, exclusive: false }, to: { value: now, exclusive: false } };
}

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
