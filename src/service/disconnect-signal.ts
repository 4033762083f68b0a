import type { ServerResponse } from "node:http";
import { StorageUnavailableError } from "../storage/engine/errors.js";

/** Creates a signal that is aborted when the client closes the connection before it has the response. */
export function createDisconnectSignal(response: ServerResponse): AbortSignal {
  const error = new StorageUnavailableError("The client closed the connection.");
  // A destroyed response has emitted "close" already.
  if (response.destroyed) return AbortSignal.abort(error);
  const controller = new AbortController();
  response.once("close", () => controller.abort(error));
  return controller.signal;
}
