import { type DateValue, parseDate } from "../../domain/properties/dates.js";
import { html, type Html } from "../html.js";
import { formatDay } from "../format.js";

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
