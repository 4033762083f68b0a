import type { HandlerContext } from "../adapters/context.js";
import type { HttpOperation, HttpResponse } from "../http/index.js";
import { isWrite } from "./admission.js";
import type { MemoryBudget } from "./memory-budget.js";

type OperationHandler = (request: never, context: HandlerContext) => Promise<HttpResponse>;

/**
 * Creates a function that wraps the handlers of reads. A wrapped handler waits until its workspace may use another database
 * connection, and throws BusyError when the workspace uses too much memory. Handlers of writes are returned unchanged, because
 * the store queues writes.
 */
export function createReadLimit(
  memory: MemoryBudget,
): (operation: HttpOperation, handler: OperationHandler) => OperationHandler {
  return (operation, handler) => {
    if (isWrite(operation)) return handler;
    return async (request, context) => {
      const { slot, workspaceId } = context.scope;
      await slot?.acquire();
      try {
        const result = await handler(request, context);
        // Checked before the response is encoded, because earlier responses that clients have not read take memory.
        memory.requireAvailable(workspaceId);
        return result;
      } finally {
        slot?.end();
      }
    };
  };
}
