/** Error for an invalid command line, such as an unknown option. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
