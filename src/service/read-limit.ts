import type { HandlerContext } from "../adapters/context.js";
import type { HttpOperation, HttpResponse } from "../http/index.js";
import { isWrite } from "./admission.js";
import type { MemoryBudget } from "./memory-budget.js";

type OperationHandler = (request: never, context: HandlerContext) => Promise<HttpResponse>;

/**
 * Creates a wrapper of handlers that queues reads of a workspace which uses its share of database connections, and
 * refuses them while it uses its share of memory. Writes are unchanged, because the store queues them.
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
        // Before the response is encoded, because clients of the workspace may not have read earlier responses.
        memory.requireRoom(workspaceId);
        return result;
      } finally {
        slot?.end();
      }
    };
  };
}
