import { expect, test } from "vitest";
import { describeBytes, describeLimit, getRequestLimit } from "../../../src/domain/plans.js";

test("each plan has a fixed limit, except enterprise, whose workspaces have their own", () => {
  expect(getRequestLimit("free", 5)).toBe(100);
  expect(getRequestLimit("pro", 5)).toBe(1000);
  expect(getRequestLimit("enterprise", 5)).toBe(5);
  expect(getRequestLimit("enterprise", null)).toBe(2_147_483_647);
});

test("a limit is described in words", () => {
  expect([1, 2000, 2_147_483_647].map(describeLimit)).toEqual([
    "1 request per minute",
    "2,000 requests per minute",
    "no limit",
  ]);
});

test.each([
  [0, "0 MB"],
  [1_260_000, "1.3 MB"],
  [999_900_000, "999.9 MB"],
  [1_000_000_000, "1 GB"],
  [Infinity, "no limit"],
])("%d bytes are described as %s", (bytes, text) => {
  expect(describeBytes(bytes)).toBe(text);
});
