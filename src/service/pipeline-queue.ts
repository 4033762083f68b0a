import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { MAX_PIPELINED_REQUESTS } from "../budgets.js";

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Creates a function that queues requests until the response to the previous request of their connection was sent, so that a
 * client that reads no responses has one in memory. Closes the connection when too many requests wait.
 */
export function createPipelineQueue(maxRequests: number, handle: Handle): Handle {
  const counts = new Map<Socket, number>();
  let totalCount = 0;
  const addCount = (socket: Socket, count: number): void => {
    counts.set(socket, (counts.get(socket) ?? 0) + count);
    totalCount += count;
  };
  return (request, response) => {
    const { socket } = request;
    // Node emits the requests that it has read even after the connection was closed.
    if (socket.destroyed) return;
    const count = counts.get(socket);
    if (count === MAX_PIPELINED_REQUESTS || totalCount >= maxRequests) {
      socket.destroy();
      return;
    }
    if (count === undefined) {
      socket.once("close", () => {
        addCount(socket, -(counts.get(socket) ?? 0));
        counts.delete(socket);
      });
    }
    addCount(socket, 1);
    response.once("socket", () => {
      addCount(socket, -1);
      handle(request, response);
    });
  };
}
