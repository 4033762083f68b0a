/** A date or a range of dates, as it was sent: `2026-05-04`, or a time with its offset or time zone. */
export interface DateValue {
  readonly start: string;
  readonly end: string | null;
  readonly time_zone: string | null;
}
