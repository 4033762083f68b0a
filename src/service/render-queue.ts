import type { IncomingMessage, ServerResponse } from "node:http";
import { RENDER_QUEUE } from "../budgets.js";
import { FairQueue } from "../queues/fair-queue.js";
import { QueueSlot } from "../queues/queue-slot.js";
import { awaitEventLoopTurn } from "../operations/execution/event-loop-turns.js";
import { createCancelSignal } from "./cancel-signal.js";

/**
 * Creates a function that waits for the slot of a web page, see WebContext.waitForRenderSlot. Few pages are rendered at once, one of a
 * workspace at a time, and each begins in a turn of the event loop of its own. `requireMemory` throws BusyError for unread responses.
 */
export function createRenderQueue(requireMemory: (request: IncomingMessage) => void) {
  const queue = new FairQueue(RENDER_QUEUE);
  return async (request: IncomingMessage, response: ServerResponse, workspaceId: string) => {
    const signal = createCancelSignal(response);
    const slot = new QueueSlot(queue, workspaceId);
    await slot.acquire(signal);
    try {
      await awaitEventLoopTurn(workspaceId);
      requireMemory(request);
      return { slot, signal };
    } catch (error) {
      slot.end();
      throw error;
    }
  };
}
