import type { HandlerContext } from "../adapters/context.js";
import type { HttpResponse } from "../http/index.js";
import { hasVisibleWorkspace } from "../storage/access/workspaces.js";
import { isUnexpectedError, UnauthorizedError } from "./error-response.js";

type OperationHandler = (request: never, context: HandlerContext) => Promise<HttpResponse>;

/**
 * Wraps a handler, so that an unexpected error in a deleted workspace becomes an UnauthorizedError. Keys of a deleted workspace are
 * cached for up to a second, in which the bot user is missing, and foreign keys refuse new pages.
 */
export function refuseDeletedWorkspace(handler: OperationHandler): OperationHandler {
  return async (request, context) => {
    try {
      return await handler(request, context);
    } catch (error) {
      const isGone = isUnexpectedError(error) && !(await hasVisibleWorkspace(context.scope));
      throw isGone ? new UnauthorizedError() : error;
    }
  };
}
