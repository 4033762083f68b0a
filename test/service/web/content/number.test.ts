import { expect, test } from "vitest";
import { formatNumber } from "../../../../src/web/content/number.js";

const SPACE = "\u00a0";

test.each([
  [12345.6, "number", "12345.6"],
  [1e21, "number", "1e+21"],
  [12345.6, "number_with_commas", "12,345.6"],
  [-1e6, "number_with_commas", "-1,000,000"],
  [0.07, "percent", "7%"],
  [0.12345, "percent", "12.345%"],
  [12345.6, "dollar", "$12,345.60"],
  [-0.125, "dollar", "-$0.125"],
  [20, "euro", "€20.00"],
  [1500, "yen", "¥1,500"],
  [1.5, "franc", `CHF${SPACE}1.50`],
  [2, "canadian_dollar", "CA$2.00"],
] as const)("%s as %s is %s", (value, format, expected) => {
  expect(formatNumber(value, format)).toBe(expected);
});
