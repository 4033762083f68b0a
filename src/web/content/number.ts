import type { components } from "../../../generated/types.js";

export type NumberFormat = components["schemas"]["NumberFormat"];
type Currency = Exclude<NumberFormat, "number" | "number_with_commas" | "percent">;

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

/** Most digits after the decimal point that Intl.NumberFormat accepts on every version of Node. */
const MAX_FRACTION_DIGITS = 20;

/** Formatters by format; creating one takes longer than formatting a table. */
const formatters = new Map<NumberFormat, Intl.NumberFormat>();

/** Formats a number as its property says, in English like all pages. Never rounds, so that rows that differ look different. */
export function formatNumber(value: number, format: NumberFormat): string {
  if (format === "number") return String(value);
  let formatter = formatters.get(format);
  if (formatter === undefined) {
    formatter = new Intl.NumberFormat("en-US", {
      maximumFractionDigits: MAX_FRACTION_DIGITS,
      ...styleOf(format),
    });
    formatters.set(format, formatter);
  }
  return formatter.format(value);
}

function styleOf(format: Exclude<NumberFormat, "number">): Intl.NumberFormatOptions {
  if (format === "number_with_commas") return {};
  if (format === "percent") return { style: "percent" };
  return { style: "currency", currency: CURRENCIES[format] };
}

/** Collects the formats of the number properties of a database, by the id of the property. */
export function numberFormatsOf(
  properties: components["schemas"]["Database"]["properties"],
): ReadonlyMap<string, NumberFormat> {
  return new Map(
    Object.values(properties).flatMap((property) =>
      property.type === "number" ? [[property.id, property.number.format]] : [],
    ),
  );
}
