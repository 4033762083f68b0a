import { LONG_READS_MS, MAX_TURN_MS } from "../budgets.js";
import type { HandlerContext } from "../adapters/context.js";
import type { HttpOperation, HttpResponse } from "../http/index.js";
import { awaitEventLoopTurn } from "../operations/event-loop-turns.js";
import { isWrite } from "./admission.js";
import type { MemoryBudget } from "./memory-budget.js";

type OperationHandler = (request: never, context: HandlerContext) => Promise<HttpResponse>;

/**
 * Creates a function that wraps the handlers of reads. A wrapped handler waits until its workspace may use another database
 * connection, and throws BusyError when the workspace uses too much memory. After a long read, the reads of the workspace begin in
 * separate turns of the event loop: with SQLite, many reads at once would otherwise run in one turn. Handlers of writes are
 * returned unchanged, because the store queues writes.
 */
export function createReadLimit(
  memory: MemoryBudget,
): (operation: HttpOperation, handler: OperationHandler) => OperationHandler {
  /** Times until which the reads of workspaces take turns, on the clock of performance.now(). */
  const turnsUntil = new Map<string, number>();
  return (operation, handler) => {
    if (isWrite(operation)) return handler;
    return async (request, context) => {
      const { slot, workspaceId } = context.scope;
      await slot?.acquire();
      try {
        if (performance.now() < (turnsUntil.get(workspaceId) ?? 0)) await awaitEventLoopTurn(workspaceId);
        const start = performance.now();
        const result = await handler(request, context);
        const end = performance.now();
        if (end - start > MAX_TURN_MS) turnsUntil.set(workspaceId, end + LONG_READS_MS);
        // Checked before the response is encoded, because earlier responses that clients have not read take memory.
        memory.requireAvailable(workspaceId);
        return result;
      } finally {
        slot?.end();
      }
    };
  };
}
