import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  findRoundingRange,
  formatNumberValue,
  formatRollupNumber,
} from "../../../../src/web/render/number.js";

const SPACE = "\u00a0";

type NumberFormat = Parameters<typeof formatNumberValue>[1];

// The cast: declares only the part of the OpenAPI document that lists the formats.
const { components } = JSON.parse(
  readFileSync(new URL("../../../../generated/openapi.json", import.meta.url), "utf8"),
) as { components: { schemas: { NumberFormat: { enum: NumberFormat[] } } } };

const CURRENCY_FORMATS = components.schemas.NumberFormat.enum.filter(
  (format) => !["number", "number_with_commas", "percent"].includes(format),
);

test.each([
  [12345.6, "number", "12345.6"],
  [0.1 + 0.2, "number", "0.3"],
  [1234567890123456, "number", "1234567890123456"],
  [1e21, "number", "1e+21"],
  [12345.6, "number_with_commas", "12,345.6"],
  [-1e6, "number_with_commas", "-1,000,000"],
  [0.07, "percent", "7%"],
  [0.12345, "percent", "12.345%"],
  [1 / 300, "percent", "0.3333%"],
  [299 / 300, "percent", "99.667%"],
  [12345.67891, "percent", "1,234,567.891%"],
  [0.000_000_1, "percent", "0.00001%"],
  [12345.6, "dollar", "$12,345.60"],
  [-0.125, "dollar", "-$0.125"],
  [0.001_234_5, "dollar", "$0.00123"],
  [11_528.139, "euro", "€11,528.14"],
  [20, "euro", "€20.00"],
  [1500, "yen", "¥1,500"],
  [1.5, "franc", `CHF${SPACE}1.50`],
  [2, "canadian_dollar", "CA$2.00"],
] as const)("%s as %s is %s", (value, format, expected) => {
  expect(formatNumberValue(value, format)).toBe(expected);
});

test("each format of a currency shows the currency that it names", () => {
  const names = new Intl.DisplayNames("en-US", { type: "currency" });
  const getSymbol = (text: string): string => text.replaceAll(/[\d.\s]/g, "");
  const namesBySymbol = new Map(
    Intl.supportedValuesOf("currency").map((currency) => {
      const { format } = new Intl.NumberFormat("en-US", { style: "currency", currency });
      return [getSymbol(format(1)), names.of(currency)];
    }),
  );
  const shown = CURRENCY_FORMATS.map((format) => {
    const name = namesBySymbol.get(getSymbol(formatNumberValue(1, format)));
    return [format, name?.toLowerCase()];
  });
  expect(shown).toEqual(
    CURRENCY_FORMATS.map((format) => [format, expect.stringContaining(format.replaceAll("_", " "))]),
  );
});

test.each([
  [0.1 + 0.2, "sum", "dollar", "$0.30"],
  [1234567.891, "sum", "number_with_commas", "1,234,567.891"],
  [100 / 3, "average", "dollar", "$33.33"],
  [-100_000 / 3, "average", "number", "-33333.33"],
  [1 / 3, "average", "percent", "33.33%"],
  [0, "average", "number", "0"],
  [1e200 / 3, "average", "number", "3.3333333333333334e+199"],
  [0.125, "max", "dollar", "$0.125"],
  [1234567890123456, "max", "number", "1234567890123456"],
  [1234567890123456, "sum", "number", "1234567890123456"],
  [2.3449, "average", "dollar", "$2.34"],
  [0.1234567890123456, "min", "number", "0.123456789012346"],
  [2 / 3, "percent_checked", "number", "66.67%"],
  [1, "percent_not_empty", "dollar", "100%"],
  [2, "count", "dollar", "2"],
  [3, "unique", "percent", "3"],
] as const)("%s as %s of %s is %s", (value, name, format, expected) => {
  expect(formatRollupNumber(value, name, format)).toBe(expected);
});

test.each([
  [11_528.139, "euro", 11_528.14],
  [-100 / 3, "dollar", -33.33],
  [0.001_234_5, "dollar", 0.001_23],
  [1 / 300, "percent", 0.003_333],
  [299 / 300, "percent", 0.996_67],
  [31_020_357_385.833_08, "percent", 31_020_357_385.833_1],
  [0.1 + 0.2, "number", 0.3],
  [-1e15 / 3, "number", -333_333_333_333_333],
] as const)("%s as %s is shown like %s, which all numbers in its range are", (value, format, shown) => {
  const { lowest = NaN, highest = NaN } = findRoundingRange(shown, format) ?? {};
  expect([lowest <= value, value <= highest]).toEqual([true, true]);
  const near = (highest - lowest) / 10;
  const show = (number: number): string => formatNumberValue(number, format);
  expect([show(lowest + near), show(highest - near)]).toEqual([show(shown), show(shown)]);
  expect(show(lowest - near)).not.toBe(show(shown));
  expect(show(highest + near)).not.toBe(show(shown));
});

test.each([
  [11_528.139, "euro"],
  [0.333_333, "percent"],
  [1 / 3, "number"],
  [0, "euro"],
] as const)(
  "%s as %s has no range, because it is not rounded or would not be shown like this",
  (value, format) => {
    expect(findRoundingRange(value, format)).toBeUndefined();
  },
);
