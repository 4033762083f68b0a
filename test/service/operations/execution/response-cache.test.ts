import { expect, test } from "vitest";
import { EncodedJson } from "../../../../src/http/responses/encoded-json.js";
import { ResponseCache } from "../../../../src/operations/execution/response-cache.js";

/** Creates a value with JSON of this size. */
const createValue = (bytes: number) => ({ version: "1", json: new EncodedJson("x".repeat(bytes)) });

test("returns a value by key and version", () => {
  const cache = new ResponseCache();
  const [old, current] = [
    { version: "1", id: "a" },
    { version: "2", id: "new" },
  ];
  cache.set("page a", old);
  expect(cache.get("page a", "1")).toBe(old);
  expect(cache.get("page a", "2")).toBeUndefined();
  expect(cache.get("page b", "1")).toBeUndefined();
  cache.set("page a", current);
  expect(cache.get("page a", "2")).toBe(current);
});

test("stays below its size by evicting the least recently used values", () => {
  const cache = new ResponseCache(1_000_000);
  const value = createValue(20_000);
  for (let page = 0; page < 20; page += 1) cache.set(`page ${page}`, value);
  for (let page = 20; page < 500; page += 1) {
    cache.get("page 0", "1");
    cache.set(`page ${page}`, value);
    expect(cache.bytes).toBeLessThanOrEqual(1_000_000);
  }
  expect(cache.bytes).toBeGreaterThan(900_000);
  expect(cache.get("page 0", "1")).toBe(value);
  expect(cache.get("page 1", "1")).toBeUndefined();
});

test("counts two bytes for each character of a key", () => {
  const cache = new ResponseCache();
  cache.set("漢".repeat(100_000), { version: "1" });
  expect(cache.bytes).toBeGreaterThan(200_000);
});

test("counts empty lists and long keys, and does not evict others for a too large value", () => {
  const cache = new ResponseCache(100_000);
  const list = { version: "1", results: [] };
  for (let index = 0; index < 1000; index += 1) cache.set(`children ${index}`, list);
  expect(cache.bytes).toBeGreaterThan(50_000);
  expect(cache.bytes).toBeLessThanOrEqual(100_000);
  cache.set("page", createValue(20_000));
  expect(cache.get("page", "1")).toBeUndefined();
  cache.set(`query ${"x".repeat(20_000)}`, list);
  expect(cache.get(`query ${"x".repeat(20_000)}`, "1")).toBeUndefined();
  expect(cache.get("children 999", "1")).toBe(list);
});

test("reads a version again only after the workspace has changed", async () => {
  const cache = new ResponseCache();
  const value = { version: "1" };
  cache.set("page a", value);
  let reads = 0;
  let current = "1";
  const made = { version: undefined };
  const read = (generation: number | undefined) =>
    cache.remember<{ readonly version: string | undefined }>(
      "page a",
      generation,
      async () => {
        reads += 1;
        return current;
      },
      async () => made,
    );
  expect([await read(7), await read(7)]).toEqual([value, value]);
  expect(reads).toBe(1);
  expect(await read(8)).toBe(value);
  expect(reads).toBe(2);
  current = "2";
  expect(await read(8)).toBe(value);
  expect(await read(9)).toBe(made);
  expect([await read(undefined), await read(undefined)]).toEqual([made, made]);
});

test("caches a value that was made, unless it has no version or its data changed in the meantime", async () => {
  const cache = new ResponseCache();
  let made = 0;
  const read = async (key: string, current: string, version: string | undefined) => {
    const readVersion = async () => current;
    const makeValue = async () => ({ number: (made += 1), version });
    return (await cache.remember(key, undefined, readVersion, makeValue)).number;
  };
  expect([await read("page a", "1", "1"), await read("page a", "1", "1")]).toEqual([1, 1]);
  expect([await read("page a", "2", "2"), await read("page a", "2", "2")]).toEqual([2, 2]);
  expect([await read("page b", "1", undefined), await read("page b", "1", undefined)]).toEqual([3, 4]);
  expect([await read("page c", "2", "1"), await read("page c", "2", "2")]).toEqual([5, 6]);
});
