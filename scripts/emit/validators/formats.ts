export interface ValidatorOptions {
  /**
   * Whether validators assert the known string formats (the default), or treat every format as an annotation, which is
   * the default of JSON Schema.
   */
  formats?: "assert" | "annotate" | undefined;
}

/** Pattern of a day that its month has (RFC 3339, section 5.7): days of every year, and 29 February of leap years. */
const DATE =
  String.raw`(?:\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)|` +
  String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)`;
/** Pattern of a time with its offset. A second of 60 is a leap second (RFC 3339, section 5.6). */
const TIME = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)`;

/**
 * The string formats that validators assert, as regular expressions that are copied into the compiled code. Any
 * other format is an annotation.
 */
export const FORMATS: Record<string, RegExp> = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  date: new RegExp(`^${DATE}$`),
  "date-time": new RegExp(`^${DATE}[Tt]${TIME}$`),
  email: /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/,
  // RFC 2673, section 3.2. Leading zeros are refused, because some programs read them as octal numbers.
  ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/,
};
