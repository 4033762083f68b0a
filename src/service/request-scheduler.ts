import type { IncomingMessage, ServerResponse } from "node:http";
import { MAX_REQUESTS_PER_TURN, MAX_WAITING_REQUESTS_PER_TURN } from "../budgets.js";
import { RoundRobinQueue } from "../queues/round-robin.js";

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

interface WaitingRequest {
  readonly tenantId: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Creates a function that handles up to MAX_REQUESTS_PER_TURN requests in a turn of the event loop. Clients take turns, so
 * that thousands of connections of one client delay the others by few requests.
 */
export function createRequestScheduler(
  handle: Handle,
  readClient: (request: IncomingMessage) => string,
): Handle {
  const waiting = new RoundRobinQueue<WaitingRequest>();
  /** Number of requests that were handled in this turn. */
  let count = 0;
  const beginTurn = (): void => {
    const requests = waiting.take(MAX_WAITING_REQUESTS_PER_TURN);
    count = requests.length;
    if (count > 0) setImmediate(beginTurn);
    for (const { request, response } of requests) {
      // Separately, as requests arrive: what a read does before its first wait would otherwise count for the reads of others too.
      setImmediate(() => {
        if (!response.destroyed) handle(request, response);
      });
    }
  };
  return (request, response) => {
    if (count === 0) setImmediate(beginTurn);
    if (waiting.size > 0 || count === MAX_REQUESTS_PER_TURN) {
      waiting.push({ tenantId: readClient(request), request, response });
      return;
    }
    count += 1;
    handle(request, response);
  };
}
