import type { components } from "../../../generated/types.js";
import { parseDate } from "../../domain/properties/dates.js";
import { html, type Html } from "../html.js";
import { formatDay } from "../pages/layout.js";

type DateValue = components["schemas"]["Date"];

/** Renders a date or a range of dates, with its time zone if it has one. */
export function renderDate({ start, end, time_zone: timeZone }: DateValue): Html {
  const tag = (text: string): Html =>
    html`<time datetime="${text}">${formatDate(text, timeZone === null)}</time>`;
  const zone = timeZone === null ? "" : ` (${timeZone})`;
  return html`<span class="date">${tag(start)}${end !== null && [" to ", tag(end)]}${zone}</span>`;
}

/** Formats a date for people: `2026-12-24T10:00:00.000+00:00` becomes `24 Dec 2026, 10:00 UTC`. */
function formatDate(text: string, withOffset: boolean): string {
  const date = parseDate(text);
  if (date === undefined) return text;
  const iso = new Date(date.local).toISOString();
  if (!date.hasTime) return formatDay(iso);
  const time = iso.slice(11, 19).replace(/:00$/, "");
  return `${formatDay(iso)}, ${time}${withOffset ? formatOffset(date.offset) : ""}`;
}

/** Formats minutes ahead of UTC: 330 becomes ` UTC+05:30`. */
function formatOffset(offset: number | undefined): string {
  if (offset === undefined) return "";
  if (offset === 0) return " UTC";
  const pad = (value: number): string => String(value).padStart(2, "0");
  const minutes = Math.abs(offset);
  return ` UTC${offset < 0 ? "-" : "+"}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}
