import { type CounterFactory, createMemoryCounterFactory } from "../../../../src/access/limits/counters.js";

/** Creates a factory of counters in memory that reports each counted key, with the prefix of its counter. */
export function createWatchedCounters(onCount: (key: string, prefix: string) => void): CounterFactory {
  const factory = createMemoryCounterFactory();
  return {
    ...factory,
    createCounter(prefix, windowMs) {
      const counter = factory.createCounter(prefix, windowMs);
      return {
        consume: (key) => {
          onCount(key, prefix);
          return counter.consume(key);
        },
        delete: (key) => counter.delete(key),
      };
    },
  };
}
