/** Whether a value fits what is asked of it; undefined when that is another's to say. */
export type Fits = boolean | undefined;

/** Texts that surely are of a format; there may be others. */
const TEXTS = new Map<string, RegExp>([
  ["date", /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/],
  [
    "date-time",
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d)$/,
  ],
  ["uuid", /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i],
  [
    "uri",
    /^https?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?(?:\/[a-z0-9._~-]+)*\/?(?:\?[a-z0-9._~=&-]*)?(?:#[a-z0-9._~-]*)?$/i,
  ],
  ["email", /^[a-z0-9]+(?:\.[a-z0-9]+)*@[a-z0-9]+(?:\.[a-z0-9]+)+$/i],
]);

/** Whether a value is of a format, for the formats and values where that is beyond doubt. */
export function fitsFormat(format: string, value: string | number): Fits {
  if (format === "password" || format === "binary") return true;
  if (typeof value === "string") {
    // These speak of numbers.
    if (["int32", "int64", "float", "double"].includes(format)) return true;
    return TEXTS.get(format)?.test(value) === true ? true : undefined;
  }
  if (TEXTS.has(format) || format === "float" || format === "double") return true;
  if (format === "int64") return Number.isSafeInteger(value) ? true : undefined;
  if (format === "int32") return Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? true : undefined;
  return undefined;
}
