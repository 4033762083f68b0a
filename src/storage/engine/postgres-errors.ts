import { DatabaseError } from "pg";
import {
  getErrorMessage,
  LockTimeoutError,
  StorageUnavailableError,
  TransactionConflictError,
} from "../../errors.js";

/** Timeout while waiting for a lock. */
const LOCK_NOT_AVAILABLE = "55P03";

/** Insufficient privilege. Since PostgreSQL 15, a user cannot create tables in a database of another user. */
const FORBIDDEN = "42501";

/** The server rolled back the transaction because of another one: serialization failure, deadlock. */
const TRANSIENT = ["40001", "40P01"];

/**
 * SQLSTATE codes of an unusable database (PostgreSQL manual, appendix A): 08 connection exception, 28 invalid authorization,
 * 3D invalid catalog name, 25006 read-only transaction, 25P03 and 25P04 transaction timeouts, 40 transaction rollback, 53
 * insufficient resources, 57 operator intervention, 58 system error, XX001 and XX002 damaged data.
 */
const UNAVAILABLE = /^(08|28|3D|25006|25P0[34]|40|53|57|58|XX00[12])/;

/** Maps an error of `pg` to one of errors.ts. Returns violated constraints and mistakes in our SQL unchanged. */
export function mapPostgresError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (!(error instanceof DatabaseError)) {
    // Invalid query values throw these. All other errors without a code concern the connection.
    return error instanceof TypeError || error instanceof RangeError ? error : createUnavailableError(error);
  }
  const code = error.code ?? "";
  if (code === LOCK_NOT_AVAILABLE) {
    return new LockTimeoutError("The database is locked by another process.", { cause: error });
  }
  if (TRANSIENT.includes(code)) {
    return new TransactionConflictError("The write conflicts with another one.", { cause: error });
  }
  return UNAVAILABLE.test(code) ? createUnavailableError(error) : error;
}

/** Maps an error of opening a database as mapPostgresError does, and adds the remedy to its message. */
export function explainOpenError(error: unknown): unknown {
  const isForbidden = error instanceof DatabaseError && error.code === FORBIDDEN;
  const mapped = isForbidden ? createUnavailableError(error) : mapPostgresError(error);
  if (!(mapped instanceof StorageUnavailableError)) return mapped;
  const remedy = isForbidden
    ? "Make the user of DATABASE_URL the owner of the database and its tables."
    : suggestRemedy(error, mapped.message);
  return new StorageUnavailableError(`${mapped.message.replace(/\.$/, "")}. ${remedy}`, { cause: error });
}

function suggestRemedy(error: unknown, message: string): string {
  // Classes of SQLSTATE: login refused, no such database.
  if (error instanceof DatabaseError && /^(28|3D)/.test(error.code ?? "")) {
    // A server that requires TLS has no entry for connections without it: "no encryption", before version 14 "SSL off".
    return /no encryption|SSL off/.test(message)
      ? "Check the user, the database and sslmode in DATABASE_URL."
      : "Check the user, the password and the database in DATABASE_URL.";
  }
  // Messages about TLS from pg and Node, and those about a missing file of certificates.
  return /\bSSL\b|certificate|, open '/.test(message)
    ? "Check sslmode and sslrootcert in DATABASE_URL."
    : "Check the address in DATABASE_URL, and that the server is running.";
}

/** Whether a connection is unusable after an error of `pg`. One that is read-only stays so when the database is writable again. */
export function breaksConnection(error: unknown): boolean {
  return !(error instanceof DatabaseError) || /^(08|25006|25P0[34]|57P0|58|XX)/.test(error.code ?? "");
}

function createUnavailableError(error: Error): StorageUnavailableError {
  return new StorageUnavailableError(`PostgreSQL is unavailable: ${getErrorMessage(error)}`, {
    cause: error,
  });
}
