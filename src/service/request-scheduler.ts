import type { IncomingMessage, ServerResponse } from "node:http";
import { MAX_REQUESTS_PER_TURN, MAX_WAITING_REQUESTS_PER_TURN } from "../budgets.js";
import { RoundRobin } from "../round-robin.js";

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

interface WaitingRequest {
  readonly tenantId: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Creates a function that handles up to MAX_REQUESTS_PER_TURN requests in a turn of the event loop. If more arrive, they wait, and
 * clients alternate: a client that sends requests on thousands of connections at once, of which most are refused, delays others by
 * few of them.
 *
 * @param readClient returns the client of a request
 */
export function createRequestScheduler(
  handle: Handle,
  readClient: (request: IncomingMessage) => string,
): Handle {
  const waiting = new RoundRobin<WaitingRequest>();
  /** Number of requests that were handled in this turn. */
  let count = 0;
  const beginTurn = (): void => {
    const requests = waiting.take(MAX_WAITING_REQUESTS_PER_TURN);
    count = requests.length;
    if (count > 0) setImmediate(beginTurn);
    for (const { request, response } of requests) if (!response.destroyed) handle(request, response);
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
