import { instantOf, parseDate } from "../properties/dates.js";
import { point, type Range } from "./condition.js";
import { shapeError } from "./refuse.js";

const DAY = 86_400_000;

/** The operators that compare with a date. */
export type DateOperator = "equals" | "before" | "after" | "on_or_before" | "on_or_after";

/**
 * The span of times that an operator asks for. A date without a time stands for its whole day, in UTC; with a time it is
 * that millisecond, in UTC unless it names an offset.
 *
 * @throws DomainError (validation) when `text` is no date
 */
export function comparedDates(operator: DateOperator, text: string, place: string): Range {
  const date = parseDate(text);
  if (date === undefined) throw shapeError(place, "a valid ISO 8601 date string", text);
  const start = instantOf(date, null);
  /** The first time that is after the date. */
  const end = date.hasTime ? start + 1 : start + DAY;
  switch (operator) {
    case "equals":
      return date.hasTime ? point(start) : span(start, end);
    case "before":
      return { to: { value: start, open: true } };
    case "on_or_before":
      return { to: { value: end, open: true } };
    case "after":
      return { from: { value: end, open: false } };
    case "on_or_after":
      return { from: { value: start, open: false } };
  }
}

/** The operators for a time near the present one. */
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
 * The span of times that a relative operator asks for. Days are those of UTC. The past begins with the day that lies a
 * week, month or year back and ends now; what is next begins today and ends with the day that lies that far ahead; this
 * week is that of the calendar, from Monday.
 *
 * @param now milliseconds since 1970
 */
export function relativeDates(operator: RelativeOperator, now: number): Range {
  const today = Math.floor(now / DAY) * DAY;
  switch (operator) {
    case "past_week":
      return since(today - 7 * DAY, now);
    case "past_month":
      return since(addMonths(today, -1), now);
    case "past_year":
      return since(addMonths(today, -12), now);
    case "this_week": {
      const monday = today - ((new Date(today).getUTCDay() + 6) % 7) * DAY;
      return span(monday, monday + 7 * DAY);
    }
    case "next_week":
      return span(today, today + 8 * DAY);
    case "next_month":
      return span(today, addMonths(today, 1) + DAY);
    case "next_year":
      return span(today, addMonths(today, 12) + DAY);
  }
}

function since(from: number, now: number): Range {
  return { from: { value: from, open: false }, to: { value: now, open: false } };
}

function span(from: number, end: number): Range {
  return { from: { value: from, open: false }, to: { value: end, open: true } };
}

/** The same day of another month, or the last one of a month that has no such day. */
function addMonths(day: number, months: number): number {
  const date = new Date(day);
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
  const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate();
  return first + (Math.min(date.getUTCDate(), length) - 1) * DAY;
}
