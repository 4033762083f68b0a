import { DatabaseError } from "pg";
import { ConflictError, StorageUnavailableError, TransientConflictError } from "./errors.js";

/** A lock was waited for too long. */
const LOCK_NOT_AVAILABLE = "55P03";

/** The server undid the transaction because of another one: serialization failure, deadlock. */
const TRANSIENT = ["40001", "40P01"];

/**
 * Classes of codes that say that the database cannot do anything, whatever it is asked for: connection, refused login, no
 * such database, read-only, rolled back, out of resources, stopped by an operator or too slow, system error, damaged data.
 */
const UNAVAILABLE = /^(08|28|3D|25006|40|53|57|58|XX00[12])/;

/**
 * Gives an error of `pg` its meaning for the service; the original stays as `cause`.
 *
 * @returns The error to throw: one of errors.ts, or `error` itself when it is a broken constraint or a mistake in our SQL.
 */
export function toStorageError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (!(error instanceof DatabaseError)) {
    // Mistakes of ours in a query's values are of these kinds; all else is said of the connection, in words alone.
    return error instanceof TypeError || error instanceof RangeError ? error : unavailable(error);
  }
  const code = error.code ?? "";
  if (code === LOCK_NOT_AVAILABLE) {
    return new ConflictError("The database is locked by another process.", { cause: error });
  }
  if (TRANSIENT.includes(code)) {
    return new TransientConflictError("The database gave precedence to another write.", { cause: error });
  }
  return UNAVAILABLE.test(code) ? unavailable(error) : error;
}

/** Whether the connection is of no use any more after an error of `pg`: also when the answer may still be on its way. */
export function breaksConnection(error: unknown): boolean {
  return !(error instanceof DatabaseError) || /^(08|57P0|58|XX)/.test(error.code ?? "");
}

function unavailable(error: Error): StorageUnavailableError {
  // The error has an empty message when every address of a host failed.
  const reason = error.message || ("code" in error ? String(error.code) : error.name);
  return new StorageUnavailableError(`PostgreSQL is unavailable: ${reason}`, { cause: error });
}
