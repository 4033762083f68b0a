import { expect, test } from "vitest";
import { createLruCache } from "../../src/lru-cache.js";

test("a full cache removes the entry that was used the longest time ago", () => {
  const cache = createLruCache<number>(2);
  cache.set("a", 1).set("b", 2);
  cache.get("a");
  cache.set("c", 3);
  expect([...cache.keys()].sort()).toEqual(["a", "c"]);
});
