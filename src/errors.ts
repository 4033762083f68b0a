import { describeSeconds } from "./domain/duration.js";

/** An error that the user can correct. The message names the remedy. */
export class UserError extends Error {
  override readonly name = "UserError";

  /** @param field The form field that the message belongs to. */
  constructor(
    message: string,
    readonly field?: string,
  ) {
    super(message);
  }
}

/** The client has made too many attempts, for example to sign in, and must wait. */
export class TooManyAttemptsError extends Error {
  override readonly name = "TooManyAttemptsError";

  constructor(readonly retryAfterSeconds: number) {
    super(`Too many attempts. Wait ${describeSeconds(retryAfterSeconds)} and try again.`);
  }
}

/** Failure of the database that depends on its state, not on the statement. */
export abstract class StorageError extends Error {}

/** A lock of the database was not available in time. A retry may succeed. */
export class LockTimeoutError extends StorageError {
  override readonly name: string = "LockTimeoutError";
}

/** The database rolled back a transaction because of another one. The queue of writes runs its writes again. */
export class TransactionConflictError extends LockTimeoutError {
  override readonly name = "TransactionConflictError";
}

/** The database is unusable: unreachable, full disk, I/O error, damaged, closed, overloaded, or of a newer version. */
export class StorageUnavailableError extends StorageError {
  override readonly name: string = "StorageUnavailableError";
}

/** The database is overloaded, or a request exceeds its share of it. */
export class BusyError extends StorageUnavailableError {
  override readonly name = "BusyError";
}

/** Returns the reason in a system error of Node: "no such file or directory" for `ENOENT: no such file or directory, open 'FILE'`. */
export function getSystemErrorReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return /^\w+: (.*), \w+(?: '.*)?$/.exec(error.message)?.[1] ?? error.message;
}
