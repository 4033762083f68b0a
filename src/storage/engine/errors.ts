/** Somebody else held a lock of the database for longer than a caller can wait. Trying again may work. */
export class ConflictError extends Error {
  override readonly name: string = "ConflictError";
}

/** The database undid a transaction because of another one, and asks to try it again. */
export class TransientConflictError extends ConflictError {
  override readonly name = "TransientConflictError";
}

/**
 * The database cannot be read or written now: out of reach, disk full, I/O error, damaged, closed, overloaded, or made by
 * a newer version.
 */
export class StorageUnavailableError extends Error {
  override readonly name: string = "StorageUnavailableError";
}

/** The database is busy with other requests, or a request needs more of it than it may take. */
export class BusyError extends StorageUnavailableError {
  override readonly name = "BusyError";
}

/** The error for a scan that exceeded its time limit. */
export function scanTimeoutError(timeoutMs: number): BusyError {
  return new BusyError(
    `The filter or search looks at so many rows that it took longer than ${timeoutMs / 1000} s. Use fewer conditions, or ` +
      "one that an index serves, such as equals.",
  );
}
