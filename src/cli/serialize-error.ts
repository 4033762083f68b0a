import { stdSerializers } from "pino";
import { ConflictError, StorageUnavailableError } from "../storage/engine/errors.js";

/**
 * Serializes an error for the log. Errors of the database get no stack: their message names the cause, and while a disk is
 * full each write causes one.
 */
export function serializeError(error: Error): unknown {
  if (error instanceof StorageUnavailableError || error instanceof ConflictError)
    return { type: error.name, message: error.message };
  return stdSerializers.err(error);
}
