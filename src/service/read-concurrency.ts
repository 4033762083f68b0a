import type { HandlerContext } from "../adapters/context.js";
import type { HttpOperation, HttpResponse } from "../http/index.js";
import { awaitEventLoopTurn } from "../operations/execution/event-loop-turns.js";
import type { Store } from "../storage/engine/store.js";
import { isWrite } from "./is-write.js";
import { LongReads } from "./long-reads.js";
import type { MemoryBudget } from "./memory-budget.js";

type OperationHandler = (request: never, context: HandlerContext) => Promise<HttpResponse>;

/**
 * Creates a function that wraps the handlers of reads. A wrapped handler waits for the slot of its request, and throws
 * BusyError when the workspace uses too much memory. After a long read, the reads of the workspace begin in separate turns of
 * the event loop, because on SQLite they would all run in one, and so do further reads after many short ones in one turn. The store
 * itself queues writes.
 */
export function createReadConcurrencyLimit(
  memory: MemoryBudget,
  store: Pick<Store, "readsInEventLoop">,
): (operation: HttpOperation, handler: OperationHandler) => OperationHandler {
  const longReads = new LongReads(store);
  return (operation, handler) => {
    if (isWrite(operation)) return handler;
    return async (request, context) => {
      const { scope } = context;
      const { slot, workspaceId } = scope;
      // Before acquiring the slot, so that others can use it in the meantime.
      const mustWait = longReads.mustWait(workspaceId);
      if (mustWait) await awaitEventLoopTurn(workspaceId);
      // Creating the signal takes 25 µs, and a read that does not wait here needs none.
      await slot.acquire(slot.isFree ? undefined : scope.signal);
      try {
        const result = await longReads.measure(workspaceId, mustWait, () => handler(request, context));
        // Checked before the response is encoded, because earlier responses that clients have not read take memory.
        memory.requireAvailable(workspaceId);
        return result;
      } finally {
        slot.end();
      }
    };
  };
}
