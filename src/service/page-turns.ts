import type { IncomingMessage } from "node:http";
import { setImmediate } from "node:timers/promises";
import { MAX_WAITING_PAGES_PER_WORKSPACE, PAGE_WAIT_MS, RENDERED_PAGES } from "../budgets.js";
import { FairQueue, type Release } from "../storage/engine/fair-queue.js";

/**
 * Creates the queue of pages with content, see WebContext.awaitTurn: one of a workspace at a time, in turns with other
 * workspaces and with requests of the API.
 *
 * @param requireMemory throws BusyError when the client has not read earlier responses
 */
export function createPageTurns(
  requireMemory: (request: IncomingMessage) => void,
): (request: IncomingMessage, workspaceId: string) => Promise<Release> {
  const queue = new FairQueue({
    slots: RENDERED_PAGES,
    slotsPerTenant: 1,
    maxWaitingPerTenant: MAX_WAITING_PAGES_PER_WORKSPACE,
    maxWaitMs: PAGE_WAIT_MS,
  });
  return async (request, workspaceId) => {
    const release = await queue.acquire(workspaceId);
    try {
      await setImmediate();
      requireMemory(request);
      return release;
    } catch (error) {
      release();
      throw error;
    }
  };
}
