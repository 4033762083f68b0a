import type { HandlerContext } from "../adapters/context.js";
import type { HttpOperation, HttpResponse } from "../http/index.js";
import { isWrite } from "./admission.js";
import type { MemoryBudget } from "./memory-budget.js";

type OperationHandler = (request: never, context: HandlerContext) => Promise<HttpResponse>;

/**
 * Queues reads of a workspace that uses its share of database connections, and refuses them while it uses its share of
 * memory, so that other workspaces keep theirs.
 *
 * @returns A function that wraps the handler of an operation. Handlers of writes are unchanged: the store queues writes.
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
