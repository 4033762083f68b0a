import { createInvalidValueError, createValidationError } from "../errors.js";
import { isObject } from "../is-object.js";
import { type DateValue, toInstant, isTimeZone, parseDate } from "./dates.js";

/**
 * Reads a date of a request. It is stored as it was sent, except that a time without offset and time zone gets the offset
 * of UTC.
 *
 * @param path path of the date in the request
 * @returns undefined when the input is not a date
 * @throws DomainError (validation) for an invalid date or time zone
 */
export function readDate(input: unknown, name: string, path: string): DateValue | undefined {
  if (!isObject(input)) return undefined;
  const { start, end = null, time_zone: timeZone = null } = input;
  if (typeof start !== "string" || !(end === null || typeof end === "string")) return undefined;
  if (timeZone !== null && (typeof timeZone !== "string" || !isTimeZone(timeZone))) {
    throw createInvalidValueError(
      `${path}.time_zone`,
      "the name of a time zone of the IANA database",
      timeZone,
    );
  }
  const from = parseDate(start);
  if (from === undefined)
    throw createInvalidValueError(`${path}.start`, "a valid ISO 8601 date string", start);
  const to = end === null ? undefined : parseDate(end);
  if (end !== null && to === undefined) {
    throw createInvalidValueError(`${path}.end`, "a valid ISO 8601 date string", end);
  }
  if (to !== undefined && toInstant(to, timeZone) < toInstant(from, timeZone)) {
    throw createValidationError(`${name}: the end of the date must not be before its start.`);
  }
  const addUtcOffset = (text: string, date: typeof from): string =>
    date.hasTime && date.offset === undefined && timeZone === null
      ? new Date(date.local).toISOString().replace("Z", "+00:00")
      : text;
  return {
    start: addUtcOffset(start, from),
    end: end === null || to === undefined ? null : addUtcOffset(end, to),
    time_zone: timeZone,
  };
}
