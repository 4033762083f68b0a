import { describeSeconds } from "../domain/duration.js";

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
