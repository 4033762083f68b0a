import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import {
  getStartTime,
  isTimeZone,
  parseDate,
  parseDateValue,
  toInstant,
} from "../../../../src/domain/properties/dates.js";
import { expectCpuRatioBelow } from "../../../support/cpu-time.js";

describe("valid dates", () => {
  test.each([
    "2026-05-04",
    "2024-02-29",
    "0001-01-01",
    "2026-05-04T10:00",
    "2026-05-04T10:00:00Z",
    "2026-05-04t23:59:59z",
    "2026-05-04T10:00:00.123456789+23:59",
    "2026-05-04 10:00:00-0330",
  ])("%s is valid", (text) => {
    expect(parseDate(text)).toBeDefined();
  });

  test.each([
    "",
    "tomorrow",
    "2026-5-4",
    "2026-13-01",
    "2026-00-10",
    "2026-02-29",
    "2026-04-31",
    "2026-05-04T24:00:00Z",
    "2026-05-04T10:60:00Z",
    "2026-05-04T10:00:60Z",
    "2026-05-04T10:00:00.1234567890Z",
    "2026-05-04T10:00:00+24:00",
    "2026-05-04T10:00:00+02:60",
    "2026-05-04T",
    "2026-05-04T10",
    "2026-05-04Z",
    "20260504",
    "2026-05-04T10:00:00Z ",
  ])("%j is invalid", (text) => {
    expect(parseDate(text)).toBeUndefined();
  });
});

test.each([
  ["2026-05-04", null, "2026-05-04T00:00:00.000Z"],
  ["2026-05-04", "America/New_York", "2026-05-04T00:00:00.000Z"],
  ["2026-05-04T10:00:00", null, "2026-05-04T10:00:00.000Z"],
  ["2026-05-04T10:00:00.250+02:00", null, "2026-05-04T08:00:00.250Z"],
  ["2026-05-04T10:00:00.9999z", null, "2026-05-04T10:00:00.999Z"],
  ["2026-05-04T10:00:00", "Europe/Berlin", "2026-05-04T08:00:00.000Z"],
  ["2026-01-04T10:00:00", "Europe/Berlin", "2026-01-04T09:00:00.000Z"],
  ["2026-05-04T10:00:00", "Asia/Kolkata", "2026-05-04T04:30:00.000Z"],
  // In UTC the first hours of the era are still in the year before.
  ["0001-01-01T02:00:00", "America/New_York", "0001-01-01T06:56:02.000Z"],
  // Before and after clocks go forward.
  ["2026-03-29T01:30:00", "Europe/Berlin", "2026-03-29T00:30:00.000Z"],
  ["2026-03-29T03:30:00", "Europe/Berlin", "2026-03-29T01:30:00.000Z"],
  // Before and after clocks go back.
  ["2026-10-25T01:30:00", "Europe/Berlin", "2026-10-24T23:30:00.000Z"],
  ["2026-10-25T03:30:00", "Europe/Berlin", "2026-10-25T02:30:00.000Z"],
])("%s in %s begins at %s", (start, time_zone, expected) => {
  expect(new Date(getStartTime({ start, end: null, time_zone })).toISOString()).toBe(expected);
});

test("local times match Intl in every time zone", () => {
  for (const zone of ["America/Los_Angeles", "Pacific/Apia", "Australia/Lord_Howe", "Africa/Monrovia"]) {
    for (let instant = 0; instant < Date.UTC(2027, 0); instant += 40 * 86_400_000 + 3_600_000) {
      const local = new Date(instant).toLocaleString("sv-SE", { timeZone: zone });
      const parsed = parseDate(local);
      expect(parsed && toInstant(parsed, zone), `${local} in ${zone}`).toBe(instant);
    }
  }
});

test.each([
  ["1900-01-01T00:00:00", "Africa/Monrovia", "1900-01-01T00:43:08.000Z"],
  ["1900-01-01T00:00:00", "Europe/Moscow", "1899-12-31T21:29:43.000Z"],
  ["0001-01-01T12:00:00", "UTC", "0001-01-01T12:00:00.000Z"],
])("%s in %s is at %s: offsets of old dates have seconds", (start, time_zone, expected) => {
  expect(new Date(getStartTime({ start, end: null, time_zone })).toISOString()).toBe(expected);
});

test.each([
  ["2026-05-04T10:00", "2026-05-04T10:00", true],
  ["2026-05-04T10:00", "2026-05-04T09:59", false],
  ["2026-05-04T10:00", "2026-05-04T08:00Z", true],
  ["2026-05-04T10:00", "2026-05-04T07:59Z", false],
  ["2026-05-04T08:00Z", "2026-05-04T10:00", true],
  ["2026-05-04T08:00Z", "2026-05-04T09:59", false],
  ["2026-05-04", "2026-05-04", true],
  ["2026-05-04", "2026-05-03", false],
  ["2026-05-04", "2026-05-04T02:00", true],
  // In the hour that clocks skip.
  ["2026-03-29T02:30", "2026-03-29T03:00", true],
  ["2026-03-29T02:30", "2026-03-29T02:00", false],
])("a range from %s to %s in Berlin is valid: %j", (start, end, isValid) => {
  const input = { start, end, time_zone: "Europe/Berlin" };
  const parse = () => parseDateValue(input, "Date", "path");
  if (isValid) expect(parse()).toEqual(input);
  else expect(parse).toThrow("Date: the end of the date must not be before its start.");
});

test.each([
  ["2026-05-04T10:00", "2026-05-04T11:00", "2026-05-04T10:00:00.000+00:00", "2026-05-04T11:00:00.000+00:00"],
  ["2026-05-04T10:00Z", "2026-05-04T11:00", "2026-05-04T10:00Z", "2026-05-04T11:00:00.000+00:00"],
  ["2026-05-04T10:00", "2026-05-05", "2026-05-04T10:00:00.000+00:00", "2026-05-05"],
])("in a range from %s to %s, a time without an offset is in UTC", (start, end, from, to) => {
  const expected = { start: from, end: to, time_zone: null };
  expect(parseDateValue({ start, end }, "Date", "path")).toEqual(expected);
});

test("a range of clock times takes little more processor time than one with offsets, in all time zones", async () => {
  const prepareParsing = (offset: string) => {
    const inputs = Intl.supportedValuesOf("timeZone").map((time_zone) => ({
      start: `2026-05-04T10:00${offset}`,
      end: `2026-05-04T11:00${offset}`,
      time_zone,
    }));
    const parse = () => {
      for (let round = 0; round < 50; round += 1) {
        for (const input of inputs) parseDateValue(input, "Date", "path");
      }
    };
    // Compiles the code, and creates the formatters.
    parse();
    return parse;
  };
  const [parseOffsets, parseClockTimes] = [prepareParsing("Z"), prepareParsing("")];
  // About as much. It takes 17 times as much when the offsets of the time zones are computed.
  await expectCpuRatioBelow(3, parseClockTimes, parseOffsets);
});

test("an offset is the difference from UTC", () => {
  const instant = (start: string) =>
    new Date(getStartTime({ start, end: null, time_zone: null })).toISOString();
  expect(instant("2026-05-04T10:00:00+02:30")).toBe("2026-05-04T07:30:00.000Z");
  expect(instant("2026-05-04T10:00:00-03:30")).toBe("2026-05-04T13:30:00.000Z");
  expect(instant("2026-05-04T10:00:00-0330")).toBe("2026-05-04T13:30:00.000Z");
  expect(instant("2026-05-04T10:00:00Z")).toBe("2026-05-04T10:00:00.000Z");
});

test("time zones are names of the IANA database", () => {
  expect(["Europe/Berlin", "UTC", "America/Argentina/Ushuaia"].map(isTimeZone)).toEqual([true, true, true]);
  expect(["", "Moon/Base", "+02:00", "Berlin"].map(isTimeZone)).toEqual([false, false, false, false]);
});

test("a name with the Kelvin sign, whose lower case is k, is not a time zone, also after the name with a K was used", () => {
  const names = ["Asia/Bang\u212aok", "Asia/Bangkok", "Asia/Bang\u212aok", "ASIA/BANGKOK"];
  expect(names.map(isTimeZone)).toEqual([false, true, false, true]);
});

/** Prints the growth of memory while 5,000 spellings of a time zone are used. */
const USE_SPELLINGS = `
  const { isTimeZone, getStartTime } = await import(process.argv[1]);
  const letters = [..."america/argentina/comodrivadavia"];
  const use = (bits) => {
    const name = letters.map((letter, index) => ((bits >> (index % 13)) & 1 ? letter.toUpperCase() : letter)).join("");
    if (!isTimeZone(name)) throw new Error(name);
    getStartTime({ start: "2026-05-04T10:00:00", end: null, time_zone: name });
  };
  use(0);
  const before = process.memoryUsage.rss();
  for (let bits = 0; bits < 5000; bits += 1) use(bits);
  console.log(process.memoryUsage.rss() - before);
`;

// In a process of its own, because earlier tests affect how much memory a process takes.
test("time zones are cached without case: 5,000 spellings take less than 20 MB", () => {
  const dates = new URL("../../../../dist/src/domain/properties/dates.js", import.meta.url).href;
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", USE_SPELLINGS, dates]);
  expect(Number(output)).toBeGreaterThan(0);
  expect(Number(output)).toBeLessThan(20_000_000);
});
