import { expect, test } from "vitest";
import { newId, newPropertyId, parseId } from "../../../src/domain/ids.js";

test("parses ids with and without dashes, in any case, of any version", () => {
  const id = "0190a5ab-1b2c-0d3e-ff00-0123456789ab";
  expect(parseId(id)).toBe(id);
  expect(parseId(id.toUpperCase())).toBe(id);
  expect(parseId(id.replaceAll("-", ""))).toBe(id);
  expect(parseId(id.replaceAll("-", "").toUpperCase())).toBe(id);
});

test.each([
  "",
  "0190a5ab",
  "0190a5ab-1b2c-7d3e-8f00-0123456789a",
  "0190a5ab-1b2c-7d3e-8f00-0123456789abc",
  "0190a5ab1b2c-7d3e-8f00-0123456789ab",
  "g190a5ab-1b2c-7d3e-8f00-0123456789ab",
  "0190a5ab-1b2c-7d3e-8f00-0123456789ab\n",
  " 0190a5ab1b2c7d3e8f000123456789ab",
  "{0190a5ab-1b2c-7d3e-8f00-0123456789ab}",
])("rejects %j", (text) => {
  expect(parseId(text)).toBeUndefined();
});

test("new ids are unique, ascending UUIDs of version 7 that contain the time", () => {
  const before = Date.now();
  const ids = Array.from({ length: 20_000 }, newId);
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  const time = parseInt(newId().replaceAll("-", "").slice(0, 12), 16);
  expect(time).toBeGreaterThanOrEqual(before);
});

test("property ids are eight unused URL-safe characters", () => {
  const taken = new Set<string>();
  for (let count = 0; count < 5000; count += 1) {
    const id = newPropertyId(taken);
    expect(id).toMatch(/^[A-Za-z0-9_-]{8}$/);
    expect(taken.has(id)).toBe(false);
    taken.add(id);
  }
});
