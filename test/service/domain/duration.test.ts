import { expect, test } from "vitest";
import { describeSeconds } from "../../../src/domain/duration.js";

test.each([
  [1, "1 second"],
  [90, "90 seconds"],
  [91, "2 minutes"],
  [5400, "90 minutes"],
  [86_400, "24 hours"],
])("%d seconds are described as %s", (seconds, text) => {
  expect(describeSeconds(seconds)).toBe(text);
});
