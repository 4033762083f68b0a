import { createHmac, randomBytes } from "node:crypto";
import { MAX_COUNTED_CLIENTS } from "../../budgets.js";
import type { Counter, CounterFactory } from "./counters.js";

/**
 * Creates a counter for keys that clients choose, such as addresses. Counts the first MAX_COUNTED_CLIENTS keys of a window
 * separately, and hashes further keys to as many shared counts. This bounds the memory without refusing all further clients.
 */
export function createBoundedCounter(counters: CounterFactory, prefix: string, windowMs: number): Counter {
  const counter = counters.createCounter(prefix, windowMs);
  const secret = randomBytes(32);
  let separateKeys = new Set<string>();
  let since = performance.now();
  const toCountedKey = (key: string): string => {
    if (performance.now() - since >= windowMs) {
      separateKeys = new Set();
      since = performance.now();
    }
    if (separateKeys.size < MAX_COUNTED_CLIENTS) separateKeys.add(key);
    if (separateKeys.has(key)) return key;
    // With a secret, so that a client cannot choose a key that shares a count with another one.
    const hash = createHmac("sha256", secret).update(key).digest();
    return `shared ${hash.readUInt32BE() % MAX_COUNTED_CLIENTS}`;
  };
  return {
    consume: (key) => counter.consume(toCountedKey(key)),
    delete: (key) => counter.delete(toCountedKey(key)),
  };
}
