import { LRUCache } from "lru-cache";
import { LONG_READS_MS, MAX_TURN_MS } from "../budgets.js";
import type { HandlerContext } from "../adapters/context.js";
import type { HttpOperation, HttpResponse } from "../http/index.js";
import { awaitEventLoopTurn } from "../operations/execution/event-loop-turns.js";
import type { Store } from "../storage/engine/store.js";
import { isWrite } from "./is-write.js";
import type { MemoryBudget } from "./memory-budget.js";

type OperationHandler = (request: never, context: HandlerContext) => Promise<HttpResponse>;

/**
 * Creates a function that wraps the handlers of reads. A wrapped handler waits for the slot of its request, and throws
 * BusyError when the workspace uses too much memory. After a long read, the reads of the workspace begin in separate turns of
 * the event loop, because on SQLite they would all run in one. The store itself queues writes.
 */
export function createReadConcurrencyLimit(
  memory: MemoryBudget,
  { readsInEventLoop }: Pick<Store, "readsInEventLoop">,
): (operation: HttpOperation, handler: OperationHandler) => OperationHandler {
  /** Workspaces whose reads take turns. No more reads than `max` can be long within LONG_READS_MS. */
  const longReaders = new LRUCache<string, true>({ max: LONG_READS_MS / MAX_TURN_MS, ttl: LONG_READS_MS });
  return (operation, handler) => {
    if (isWrite(operation)) return handler;
    return async (request, context) => {
      const { scope } = context;
      const { slot, workspaceId } = scope;
      // Before acquiring the slot, so that others can use it in the meantime.
      if (longReaders.has(workspaceId)) await awaitEventLoopTurn(workspaceId);
      // Creating the signal takes 25 µs, and a read that does not wait here needs none.
      await slot.acquire(slot.isFree ? undefined : scope.signal);
      try {
        const start = performance.now();
        const recordTime = (): void => {
          if (performance.now() - start > MAX_TURN_MS) longReaders.set(workspaceId, true);
        };
        // The next tick begins when the handler waits for the first time, or has ended. So the time of its waits does not count.
        const measured = new Promise<void>((resolve) => {
          process.nextTick(() => {
            recordTime();
            resolve();
          });
        });
        const result = await handler(request, context);
        await measured;
        // With PostgreSQL most of the work follows a wait for the database, which counts too.
        if (!readsInEventLoop) recordTime();
        // Checked before the response is encoded, because earlier responses that clients have not read take memory.
        memory.requireAvailable(workspaceId);
        return result;
      } finally {
        slot.end();
      }
    };
  };
}
