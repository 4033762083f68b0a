export interface ValidatorOptions {
  /**
   * Whether validators assert the known string formats (the default), or treat every format as an annotation, which is
   * the default of JSON Schema.
   */
  formats?: "assert" | "annotate" | undefined;
}

/**
 * The string formats that validators assert, as regular expressions that are copied into the compiled code. Any
 * other format is an annotation.
 */
export const FORMATS: Record<string, RegExp> = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  // Does not check the number of days of the month.
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  // RFC 3339, section 5.6; a second of 60 is a leap second.
  "date-time":
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/,
  email: /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/,
  // RFC 2673, section 3.2. Leading zeros are refused, because some programs read them as octal numbers.
  ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/,
};
