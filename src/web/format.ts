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
