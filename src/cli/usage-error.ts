/** A command line that cannot be run as it is written; the message says why. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
