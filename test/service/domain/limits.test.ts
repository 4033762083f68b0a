import { expect, test } from "vitest";
import { getRequestLimit } from "../../../src/domain/limits.js";

test("each plan has a fixed limit, except enterprise, whose workspaces have their own", () => {
  expect(getRequestLimit("free", 5)).toBe(100);
  expect(getRequestLimit("pro", 5)).toBe(1000);
  expect(getRequestLimit("enterprise", 5)).toBe(5);
  expect(getRequestLimit("enterprise", null)).toBe(2_147_483_647);
});
