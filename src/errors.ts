import { describeSeconds } from "./domain/duration.js";

/** An error that the user can correct. The message names the remedy. */
export class UserError extends Error {
  override readonly name = "UserError";
}

/** Messages about invalid fields of a form, by the name of the field. */
export type FieldMessages = Readonly<Record<string, string>>;

/** Invalid fields of a form, in the order of the form. */
export class InvalidFieldsError extends UserError {
  constructor(readonly fields: FieldMessages) {
    super(Object.values(fields).join(" "));
  }
}

/** The client has made too many attempts, for example to sign in, and must wait. */
export class TooManyAttemptsError extends Error {
  override readonly name = "TooManyAttemptsError";

  /** @param reason a sentence */
  constructor(
    readonly retryAfterSeconds: number,
    reason = "Too many attempts.",
  ) {
    super(`${reason} Wait ${describeSeconds(retryAfterSeconds)} and try again.`);
  }
}

/** Failure that the state of the service or its database causes, and no mistake in the code. Logged without a stack trace. */
export abstract class OperationalError extends Error {
  override readonly name = this.constructor.name;
}

/** A lock of the database was not available in time. A retry may succeed. */
export class LockTimeoutError extends OperationalError {}

/** The database rolled back a transaction because of another one. The queue of writes runs its writes again. */
export class TransactionConflictError extends LockTimeoutError {}

/** The database is unusable: unreachable, full disk, I/O error, damaged, closed, or of a newer version. */
export class StorageUnavailableError extends OperationalError {}

/** The service is overloaded, or a request exceeds its share of it. The message says so to the client. */
export class BusyError extends OperationalError {}

/** The client closed the connection, so nobody waits for the result of its request. */
export class ClientClosedError extends OperationalError {
  constructor() {
    super("The client closed the connection.");
  }
}

/** Returns the reason in a system error of Node: "no such file or directory" for `ENOENT: no such file or directory, open 'FILE'`. */
export function getSystemErrorReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return /^\w+: (.*), \w+(?: '.*)?$/.exec(error.message)?.[1] ?? error.message;
}

/** Returns the message of an error. When every address of a host failed, it is empty in Node, and the error has a code. */
export function getErrorMessage(error: Error): string {
  return error.message || ("code" in error ? String(error.code) : error.name);
}
