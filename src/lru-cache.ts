import { LRUCache } from "lru-cache";

/**
 * Creates an LRU cache of at most `maxEntries` entries. Each has the size 1, because lru-cache reserves 220 KB for a `max` of
 * 10,000, which takes 1.3 ms, and nothing for a `maxSize`.
 */
export function createLruCache<Value extends {}>(maxEntries: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
}
