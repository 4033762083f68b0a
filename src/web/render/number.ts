import type { Schemas } from "../../domain/api-schemas.js";
import type { RollupFunction } from "../../domain/schema.js";
import { getOrCreate } from "../../get-or-create.js";

type NumberFormat = Schemas["NumberFormat"];
type FormattedNumber = Exclude<NumberFormat, "number">;
type Currency = Exclude<FormattedNumber, "number_with_commas" | "percent">;

/** Codes of currencies (ISO 4217). */
const CURRENCIES: Readonly<Record<Currency, string>> = {
  dollar: "USD",
  australian_dollar: "AUD",
  canadian_dollar: "CAD",
  singapore_dollar: "SGD",
  euro: "EUR",
  pound: "GBP",
  yen: "JPY",
  ruble: "RUB",
  rupee: "INR",
  won: "KRW",
  yuan: "CNY",
  real: "BRL",
  lira: "TRY",
  rupiah: "IDR",
  franc: "CHF",
  hong_kong_dollar: "HKD",
  new_zealand_dollar: "NZD",
  krona: "SEK",
  norwegian_krone: "NOK",
  mexican_peso: "MXN",
  rand: "ZAR",
  new_taiwan_dollar: "TWD",
  danish_krone: "DKK",
  zloty: "PLN",
  baht: "THB",
  forint: "HUF",
  koruna: "CZK",
  shekel: "ILS",
  chilean_peso: "CLP",
  philippine_peso: "PHP",
  dirham: "AED",
  colombian_peso: "COP",
  riyal: "SAR",
  ringgit: "MYR",
  leu: "RON",
  argentine_peso: "ARS",
  uruguayan_peso: "UYU",
  peruvian_sol: "PEN",
};

/** Maximum number of digits after the decimal point that Intl.NumberFormat accepts on every version of Node. */
const MAX_FRACTION_DIGITS = 20;

/** Significant digits of fractions that are not rounded further. */
const SHOWN_DIGITS = 15;

/** Significant digits that distinguish all doubles. */
const MAX_SIGNIFICANT_DIGITS = 17;

/** Formatters by format; creating one takes longer than formatting a table. */
const formatters = new Map<FormattedNumber, Intl.NumberFormat>();

/**
 * Formats a number of a property, in English like all pages. Rounds amounts of money to two decimals or three significant digits,
 * whichever keeps more, and percentages, most of which are quotients, to three decimals or four digits. Other fractions keep 15
 * digits, which hides the errors of binary fractions: 0.1 + 0.2 is 0.30000000000000004.
 */
export function formatNumberValue(value: number, format: NumberFormat): string {
  const rounded = Number.isInteger(value) ? value : Number(value.toPrecision(SHOWN_DIGITS));
  if (format === "number") return String(rounded);
  const shown = format in CURRENCIES ? roundDecimals(rounded, 3) : rounded;
  return getOrCreate(formatters, format, createFormatter).format(shown);
}

function createFormatter(format: FormattedNumber): Intl.NumberFormat {
  const maximumFractionDigits = MAX_FRACTION_DIGITS;
  if (format === "number_with_commas") return new Intl.NumberFormat("en-US", { maximumFractionDigits });
  if (format === "percent") {
    return new Intl.NumberFormat("en-US", {
      style: "percent",
      maximumFractionDigits: 3,
      maximumSignificantDigits: 4,
      roundingPriority: "morePrecision",
    });
  }
  return new Intl.NumberFormat("en-US", {
    style: "currency",
    currency: CURRENCIES[format],
    maximumFractionDigits,
  });
}

/** Formats a number that a rollup computed from values of a format. */
export function formatRollupNumber(
  value: number,
  rollupFunction: RollupFunction,
  format: NumberFormat,
): string {
  if (rollupFunction.startsWith("percent_")) return formatNumberValue(roundDecimals(value, 4), "percent");
  switch (rollupFunction) {
    case "average":
      // Most averages are quotients such as 1/3. Amounts of money are not rounded twice.
      return formatNumberValue(format in CURRENCIES ? value : roundDecimals(value, 4), format);
    case "sum":
    case "median":
    case "range":
    case "min":
    case "max":
      return formatNumberValue(value, format);
    default:
      return formatNumberValue(value, "number");
  }
}

/** Returns the range of the numbers that are shown like `value`; undefined if it has more digits than are shown. */
export function findRoundingRange(
  value: number,
  format: NumberFormat,
): { readonly lowest: number; readonly highest: number } | undefined {
  const digits = countShownDigits(value, format);
  if (value === 0 || Number(value.toPrecision(digits)) !== value) return undefined;
  const half = 0.5 * 10 ** (countWholeDigits(value) - digits);
  return { lowest: value - half, highest: value + half };
}

function countShownDigits(value: number, format: NumberFormat): number {
  if (format in CURRENCIES) return Math.min(SHOWN_DIGITS, Math.max(3, countWholeDigits(value) + 2));
  if (format !== "percent") return SHOWN_DIGITS;
  return Math.min(SHOWN_DIGITS, Math.max(4, countWholeDigits(100 * value) + 3));
}

/** Rounds a number to two decimals or to `minDigits` significant digits, whichever keeps more. */
function roundDecimals(value: number, minDigits: number): number {
  const digits = Math.max(minDigits, countWholeDigits(value) + 2);
  return Number(value.toPrecision(Math.min(MAX_SIGNIFICANT_DIGITS, digits)));
}

/** Counts the digits before the decimal point; -1 for 0.012, whose first digit is the second one after the point. */
function countWholeDigits(value: number): number {
  return Math.floor(Math.log10(Math.abs(value))) + 1;
}
