import { setImmediate } from "node:timers/promises";
import { MAX_TURN_MS } from "../budgets.js";
import type { StorageScope } from "./tables.js";

/**
 * Creates a function that long work calls between its steps. It waits once the work has taken MAX_TURN_MS since it began or last
 * waited: for a turn of the scope or, in a transaction without one, for the next turn of the event loop.
 */
export function createWaitIfLong(scope: Pick<StorageScope, "waitForTurn">): () => Promise<void> {
  let start = performance.now();
  return async () => {
    if (performance.now() - start < MAX_TURN_MS) return;
    await (scope.waitForTurn?.() ?? setImmediate());
    start = performance.now();
  };
}
