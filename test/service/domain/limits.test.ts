import { expect, test } from "vitest";
import { requestLimit } from "../../../src/domain/limits.js";

test("each plan has a fixed limit, except enterprise, whose workspaces have their own", () => {
  expect(requestLimit("free", 5)).toBe(100);
  expect(requestLimit("pro", 5)).toBe(1000);
  expect(requestLimit("enterprise", 5)).toBe(5);
  expect(requestLimit("enterprise", null)).toBe(2_147_483_647);
});
