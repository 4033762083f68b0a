/** A date or a span of dates, as it was written: `2026-05-04` or a time with its offset or time zone. */
export interface DateValue {
  readonly start: string;
  readonly end: string | null;
  readonly time_zone: string | null;
}
