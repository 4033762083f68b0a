import { describe, expect, test } from "vitest";
import { computeRollup } from "../../../../src/domain/properties/compute-rollup.js";
import type { NonRollupValue as Value } from "../../../../src/domain/properties/response-values.js";
import { newId } from "../../../../src/domain/ids.js";
import { parseRichTextRun } from "../../../../src/domain/rich-text.js";
import type { RollupFunction } from "../../../../src/domain/schema.js";
import { expectCpuTimeBelow } from "../../../support/cpu-time.js";
import { plainRun } from "../../../support/objects.js";
import { ROLLUP_FUNCTIONS } from "../../../support/rollup-functions.js";

const number = (value: number | null): Value => ({ type: "number", number: value });
const ticked = (value: boolean): Value => ({ type: "checkbox", checkbox: value });
const date = (start: string, end: string | null = null, time_zone: string | null = null): Value => ({
  type: "date",
  date: { start, end, time_zone },
});
const option = (id: string) => ({ id, name: id, color: "default" }) as const;
const multi = (...ids: string[]): Value => ({ type: "multi_select", multi_select: ids.map(option) });

/** Computes a rollup and returns it without type and function. */
function computeResult(name: RollupFunction, values: Value[]): unknown {
  const rollup = computeRollup(name, values);
  expect(rollup.function).toBe(name);
  return Object.entries(rollup).find(([key]) => key === rollup.type)?.[1];
}

describe("numbers", () => {
  const some = [number(4), number(null), number(1), number(4), number(-2)];
  test.each<[RollupFunction, number]>([
    ["count", 5],
    ["count_values", 4],
    ["empty", 1],
    ["not_empty", 4],
    ["percent_empty", 0.2],
    ["percent_not_empty", 0.8],
    ["unique", 3],
    ["sum", 7],
    ["average", 1.75],
    ["median", 2.5],
    ["min", -2],
    ["max", 4],
    ["range", 6],
  ])("%s is %d", (name, expected) => {
    expect(computeResult(name, some)).toBeCloseTo(expected, 12);
  });

  test("the median of an odd number of values is the middle one", () => {
    expect(computeResult("median", [number(9), number(1), number(2)])).toBe(2);
  });
});

test("results are rounded to the decimals of the numbers, but integers are exact", () => {
  const decimals = [number(0.1), number(0.2), number(0.3)];
  expect(computeResult("sum", decimals)).toBe(0.6);
  expect(computeResult("average", decimals)).toBe(0.2);
  expect(computeResult("range", decimals)).toBe(0.2);
  expect(computeResult("median", decimals.slice(0, 2))).toBe(0.15);
  for (const large of [1e16, -1e16])
    expect(computeResult("sum", [number(large), number(0.1), number(-large)])).toBe(0.1);
  expect(computeResult("sum", [number(2 ** 53 - 2), number(1)])).toBe(Number.MAX_SAFE_INTEGER);
  expect(computeResult("max", [number(0.1 + 0.2)])).toBe(0.1 + 0.2);
});

test("many rollups read the same long texts in little more time than one", async () => {
  const values = Array.from({ length: 20 }, (_, index): Value => ({
    type: "rich_text",
    rich_text: Array.from({ length: 100 }, () => plainRun(`${index} ${"x".repeat(2000)}`)),
  }));
  // It takes 15 ms instead of 10 s.
  await expectCpuTimeBelow(2000, () => {
    for (let count = 0; count < 1000; count += 1) expect(computeResult("unique", values)).toBe(20);
  });
});

test("a date is parsed once for all rollups that use it", () => {
  let reads = 0;
  const createDate = (): Value => ({
    type: "date",
    date: {
      get start() {
        reads += 1;
        return "2026-05-04T10:00";
      },
      end: null,
      time_zone: "Europe/Berlin",
    },
  });
  const values = Array.from({ length: 100 }, createDate);
  for (let count = 0; count < 50; count += 1) {
    expect(computeResult("date_range", values)).toMatchObject({ start: "2026-05-04T10:00" });
  }
  // Once to parse each date, and a few times for each result.
  expect(reads).toBeLessThan(500);
});

test("checkboxes are counted", () => {
  const boxes = [ticked(true), ticked(false), ticked(true), ticked(true)];
  expect(computeResult("checked", boxes)).toBe(3);
  expect(computeResult("unchecked", boxes)).toBe(1);
  expect(computeResult("percent_checked", boxes)).toBe(0.75);
  expect(computeResult("percent_unchecked", boxes)).toBe(0.25);
});

test("elements of lists are counted individually", () => {
  const lists = [multi("a", "b"), multi(), multi("b")];
  expect(computeResult("count_values", lists)).toBe(3);
  expect(computeResult("unique", lists)).toBe(2);
  expect(computeResult("not_empty", lists)).toBe(2);
});

test("texts that mention different objects are different, and not empty", () => {
  const [ann, bob] = [newId(), newId()];
  const texts = [ann, bob, ann].map((id): Value => ({
    type: "rich_text",
    rich_text: [parseRichTextRun({ mention: { user: { id } } })],
  }));
  expect(computeResult("unique", texts)).toBe(2);
  expect(computeResult("empty", texts)).toBe(0);
  expect(computeResult("show_unique", texts)).toEqual(texts.slice(0, 2));
});

test("dates are compared as instants", () => {
  const dates = [
    date("2026-05-04T00:30:00", null, "Asia/Tokyo"),
    date("2026-05-04"),
    date("2026-05-02", "2026-05-09"),
    { type: "date", date: null } as const,
  ];
  expect(computeResult("earliest_date", dates)).toEqual({ start: "2026-05-02", end: null, time_zone: null });
  expect(computeResult("latest_date", dates)).toEqual({ start: "2026-05-09", end: null, time_zone: null });
  expect(computeResult("date_range", dates)).toEqual({
    start: "2026-05-02",
    end: "2026-05-09",
    time_zone: null,
  });
  // 00:30 in Tokyo is the previous day in UTC.
  expect(computeResult("earliest_date", dates.slice(0, 2))).toMatchObject({ time_zone: "Asia/Tokyo" });
  expect(computeResult("latest_date", dates.slice(0, 2))).toMatchObject({ time_zone: null });
  expect(computeResult("date_range", dates.slice(0, 2))).toEqual({
    start: "2026-05-03T15:30:00.000Z",
    end: "2026-05-04T00:00:00.000Z",
    time_zone: null,
  });
});

test("a range of dates in different time zones ends when its last date ends", () => {
  const dates = [date("2026-05-01T00:30:00", null, "Asia/Tokyo"), date("2026-05-02", "2026-05-09")];
  expect(computeResult("date_range", dates)).toEqual({
    start: "2026-04-30T15:30:00.000Z",
    end: "2026-05-09T00:00:00.000Z",
    time_zone: null,
  });
});

test("show_original and show_unique return the values", () => {
  const values = [number(1), number(2), number(null), number(1)];
  expect(computeResult("show_original", values)).toEqual(values);
  expect(computeResult("show_unique", values)).toEqual([number(1), number(2)]);
});

test("every function has a result for no pages", () => {
  const results = ROLLUP_FUNCTIONS.map((name) => [name, computeResult(name, [])]);
  expect(Object.fromEntries(results)).toEqual({
    ...Object.fromEntries(
      ["count", "count_values", "empty", "not_empty", "unique", "sum", "checked", "unchecked"].map((name) => [
        name,
        0,
      ]),
    ),
    ...Object.fromEntries(
      ["percent_empty", "percent_not_empty", "percent_checked", "percent_unchecked"].map((name) => [
        name,
        null,
      ]),
    ),
    average: null,
    median: null,
    min: null,
    max: null,
    range: null,
    earliest_date: null,
    latest_date: null,
    date_range: null,
    show_original: [],
    show_unique: [],
    count_per_group: {},
    percent_per_group: {},
  });
});
