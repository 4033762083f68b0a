import { expect, test } from "vitest";
import { describeSeconds, parseDuration } from "../../../src/domain/duration.js";

test.each([
  [1, "1 second"],
  [90, "90 seconds"],
  [91, "2 minutes"],
  [121, "3 minutes"],
  [5400, "90 minutes"],
  [5401, "2 hours"],
  [86_400, "24 hours"],
])("%d seconds are described as %s", (seconds, text) => {
  expect(describeSeconds(seconds)).toBe(text);
});

test.each([
  ["30m", 1_800_000],
  ["12h", 43_200_000],
  ["90d", 7_776_000_000],
  ["999999d", 86_399_913_600_000],
  ["0m", 0],
])("%s is %d ms", (text, expected) => {
  expect(parseDuration(text)).toBe(expected);
});

test.each(["", "m", "30", "30s", "30M", "-1m", "1.5h", "1000000m", " 30m", "30m\n", "30mh"])(
  "%j is no duration",
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);
