import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  mayChangeWithTime,
  toDateRange,
  toRelativeDateRange,
} from "../../../../src/domain/query/date-range.js";

/** Returns the range of an operator as texts; its end is the last millisecond. */
function getRange(operator: string, now: string): [string, string] {
  const { from, to } = toRelativeDateRange(operator, Date.parse(now)) ?? {};
  const end = (to?.value ?? Number.NaN) - (to?.exclusive === true ? 1 : 0);
  return [new Date(from?.value ?? Number.NaN).toISOString(), new Date(end).toISOString()];
}

const day = (date: string): string => `${date}T00:00:00.000Z`;
const endOfDay = (date: string): string => `${date}T23:59:59.999Z`;

test.each<[string, string, string, string]>([
  ["past_week", "2026-05-13T10:00:00.000Z", day("2026-05-06"), "2026-05-13T10:00:00.000Z"],
  ["past_month", "2026-03-31T10:00:00.000Z", day("2026-02-28"), "2026-03-31T10:00:00.000Z"],
  ["past_month", "2024-03-31T10:00:00.000Z", day("2024-02-29"), "2024-03-31T10:00:00.000Z"],
  ["past_month", "2026-01-15T10:00:00.000Z", day("2025-12-15"), "2026-01-15T10:00:00.000Z"],
  ["past_year", "2024-02-29T10:00:00.000Z", day("2023-02-28"), "2024-02-29T10:00:00.000Z"],
  ["this_week", "2026-05-10T23:59:59.999Z", day("2026-05-04"), endOfDay("2026-05-10")],
  ["this_week", "2026-05-11T00:00:00.000Z", day("2026-05-11"), endOfDay("2026-05-17")],
  ["next_week", "2026-05-13T10:00:00.000Z", day("2026-05-13"), endOfDay("2026-05-20")],
  ["next_month", "2026-01-31T10:00:00.000Z", day("2026-01-31"), endOfDay("2026-02-28")],
  ["next_year", "2024-02-29T10:00:00.000Z", day("2024-02-29"), endOfDay("2025-02-28")],
])("%s at %s", (operator, now, from, to) => {
  expect(getRange(operator, now)).toEqual([from, to]);
});

test("a date is a range of one day, and a time is a range of one millisecond", () => {
  const start = Date.parse("2026-05-04");
  const next = start + 86_400_000;
  const noon = start + 43_200_000;
  const compared = (operator: string, text: string) => toDateRange(operator, text, "filter");
  expect(compared("equals", "2026-05-04")).toEqual({
    from: { value: start, exclusive: false },
    to: { value: next, exclusive: true },
  });
  expect(compared("before", "2026-05-04")).toEqual({ to: { value: start, exclusive: true } });
  expect(compared("on_or_before", "2026-05-04")).toEqual({ to: { value: next, exclusive: true } });
  expect(compared("after", "2026-05-04")).toEqual({ from: { value: next, exclusive: false } });
  expect(compared("on_or_after", "2026-05-04")).toEqual({ from: { value: start, exclusive: false } });
  expect(compared("after", "2026-05-04T14:00:00+02:00")).toEqual({
    from: { value: noon + 1, exclusive: false },
  });
});

const { components } = JSON.parse(
  readFileSync(new URL("../../../../generated/openapi.json", import.meta.url), "utf8"),
);

test.each(Object.keys(components.schemas.DateCondition.properties))(
  "%s changes with time if it is relative",
  (operator) => {
    const filter = { and: [{ property: "Due", date: { [operator]: {} } }] };
    expect(mayChangeWithTime(filter)).toBe(toRelativeDateRange(operator, 0) !== undefined);
  },
);
