import { expect, test } from "vitest";
import { ResponseCache } from "../../../../src/operations/execution/response-cache.js";

test("returns a value by key and version", () => {
  const cache = new ResponseCache();
  cache.set("page a", "1", { id: "a" }, 10);
  expect(cache.get("page a", "1")).toEqual({ id: "a" });
  expect(cache.get("page a", "2")).toBeUndefined();
  expect(cache.get("page b", "1")).toBeUndefined();
  cache.set("page a", "2", { id: "new" }, 10);
  expect(cache.get("page a", "2")).toEqual({ id: "new" });
});

test("stays below its size by evicting the least recently used values", () => {
  const cache = new ResponseCache(1_000_000);
  const value = { id: "a" };
  for (let page = 0; page < 20; page += 1) cache.set(`page ${page}`, "1", value, 20_000);
  for (let page = 20; page < 500; page += 1) {
    cache.get("page 0", "1");
    cache.set(`page ${page}`, "1", value, 20_000);
    expect(cache.bytes).toBeLessThanOrEqual(1_000_000);
  }
  expect(cache.get("page 0", "1")).toBe(value);
  expect(cache.get("page 1", "1")).toBeUndefined();
});

test("counts empty lists, and does not evict others for a too large value", () => {
  const cache = new ResponseCache(100_000);
  for (let list = 0; list < 1000; list += 1) cache.set(`children ${list}`, "1", { results: [] }, 2);
  expect(cache.bytes).toBeGreaterThan(50_000);
  expect(cache.bytes).toBeLessThanOrEqual(100_000);
  cache.set("page", "1", { id: "large" }, 20_000);
  expect(cache.get("page", "1")).toBeUndefined();
  expect(cache.get("children 999", "1")).toEqual({ results: [] });
});

test("reads a version again only after the workspace has changed", async () => {
  const cache = new ResponseCache();
  cache.set("page a", "1", { id: "a" }, 10);
  let reads = 0;
  let current = "1";
  const read = (state: number | undefined) =>
    cache.getCurrent("page a", state, async () => {
      reads += 1;
      return current;
    });
  expect([await read(7), await read(7)]).toEqual([{ id: "a" }, { id: "a" }]);
  expect(reads).toBe(1);
  expect(await read(8)).toEqual({ id: "a" });
  expect(reads).toBe(2);
  current = "2";
  expect(await read(8)).toEqual({ id: "a" });
  expect(await read(9)).toBeUndefined();
  expect([await read(undefined), await read(undefined)]).toEqual([undefined, undefined]);
});
