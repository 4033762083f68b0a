import Database from "libsql";
import { LockTimeoutError, StorageUnavailableError } from "../../errors.js";

/** Codes of an unusable database or an interrupted statement. libsql has no name for 1544, SQLITE_READONLY_DIRECTORY. */
const UNAVAILABLE_CODES =
  /^SQLITE_(IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM|PROTOCOL|PERM|INTERRUPT)|^UNKNOWN_SQLITE_ERROR_1544$/;

/** Whether a statement was interrupted, for example by its time limit. */
export function isInterrupted(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code === "SQLITE_INTERRUPT";
}

/** Maps an error of libsql to one of errors.ts. Returns violated constraints and mistakes in our SQL unchanged. */
export function mapSqliteError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  // libsql throws its SqliteError for statements, and a plain Error when a file cannot be opened.
  const code = error instanceof Database.SqliteError ? error.code : "";
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return new LockTimeoutError("The database is locked by another process.", { cause: error });
  }
  if (code === "SQLITE_FULL") {
    // The full disk is that of the database, because libsql keeps temporary data in memory.
    const message = "The disk of the database is full. Free some space, or move DATA_DIR to a larger disk.";
    return new StorageUnavailableError(message, { cause: error });
  }
  if (UNAVAILABLE_CODES.test(code) || error.message.startsWith("ConnectionFailed")) {
    return new StorageUnavailableError(`The database is unavailable: ${explainSqliteError(error)}`, {
      cause: error,
    });
  }
  return error;
}

/** Returns the message of an error of libsql as a sentence, with the remedy for a damaged or read-only database. */
export function explainSqliteError(error: Error): string {
  const code = error instanceof Database.SqliteError ? error.code : "";
  return `${error.message}.${suggestRemedy(code)}`;
}

function suggestRemedy(code: string): string {
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
    return " Restore a backup into another DATA_DIR with `page-service import`.";
  }
  return /^SQLITE_READONLY|_1544$/.test(code)
    ? " Make the file and its folder writable for this user, or run the program as another user."
    : "";
}
