import type { ServerResponse } from "node:http";
import { READ_DEADLINE_MS } from "../budgets.js";
import { BusyError, ClientClosedError } from "../errors.js";

/** Creates a signal that is aborted when the response is closed, or READ_DEADLINE_MS after `startTime` (performance.now()). */
export function createCancelSignal(response: ServerResponse, startTime = performance.now()): AbortSignal {
  const closedError = new ClientClosedError();
  // A destroyed response has emitted "close" already.
  if (response.destroyed) return AbortSignal.abort(closedError);
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new BusyError("The request took too long. Try again later.")),
    startTime + READ_DEADLINE_MS - performance.now(),
  );
  response.once("close", () => {
    clearTimeout(timer);
    controller.abort(closedError);
  });
  return controller.signal;
}
