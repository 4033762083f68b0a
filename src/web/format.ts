import { type DateValue, parseDate } from "../domain/properties/dates.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../units.js";
import { html, type Html } from "./html.js";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Formats the day of an ISO 8601 time, such as `4 May 2026`. */
export function formatDay(iso: string): string {
  return `${Number(iso.slice(8, 10))} ${MONTHS[Number(iso.slice(5, 7)) - 1]} ${iso.slice(0, 4)}`;
}

/** Renders a time, in milliseconds since 1970, as its day in UTC and optionally the minute. */
export function renderTimeTag(time: number, withMinutes = false): Html {
  const iso = new Date(time).toISOString();
  const day = formatDay(iso);
  const label = withMinutes ? `${day}, ${iso.slice(11, 16)} UTC` : day;
  return html`<time datetime="${iso}">${label}</time>`;
}

const relativeTime = new Intl.RelativeTimeFormat("en");

/** Renders a time of the last 24 hours relative to now, such as `5 minutes ago`, and an earlier one as its day. */
export function renderRecentTime(time: number, now = Date.now()): Html {
  const age = now - time;
  if (age >= DAY_MS) return renderTimeTag(time);
  const [unit, unitMs] = age < HOUR_MS ? (["minute", MINUTE_MS] as const) : (["hour", HOUR_MS] as const);
  const label = age < MINUTE_MS ? "just now" : relativeTime.format(-Math.floor(age / unitMs), unit);
  return html`<time datetime="${new Date(time).toISOString()}">${label}</time>`;
}

/** Formats a whole number with thousands separators. */
export function formatNumber(value: number): string {
  return value.toLocaleString("en-US");
}

/** Renders a date or a range of dates, with its time zone if it has one. */
export function renderDate({ start, end, time_zone: timeZone }: DateValue): Html {
  const renderTimeElement = (text: string): Html => html`<time datetime="${text}">${formatDate(text)}</time>`;
  const zone = timeZone === null ? "" : ` (${timeZone})`;
  return html`${renderTimeElement(start)}${end !== null && [" to ", renderTimeElement(end)]}${zone}`;
}

/** Formats a date for people: `2026-12-24T10:00:00.000+00:00` becomes `24 Dec 2026, 10:00 UTC`. */
function formatDate(text: string): string {
  const date = parseDate(text);
  if (date === undefined) return text;
  // `local` is the clock time as if it were UTC, so toISOString prints the clock time.
  const iso = new Date(date.local).toISOString();
  if (!date.hasTime) return formatDay(iso);
  // Seconds are shown unless they are zero.
  const time = iso.slice(11, 19).replace(/:00$/, "");
  return `${formatDay(iso)}, ${time}${formatOffset(date.offsetMinutes)}`;
}

/** Formats minutes ahead of UTC: 330 becomes ` UTC+05:30`. */
function formatOffset(offsetMinutes: number | undefined): string {
  if (offsetMinutes === undefined) return "";
  if (offsetMinutes === 0) return " UTC";
  const pad = (value: number): string => String(value).padStart(2, "0");
  const minutes = Math.abs(offsetMinutes);
  return ` UTC${offsetMinutes < 0 ? "-" : "+"}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}
