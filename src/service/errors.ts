/** The error of a request without a valid API key. */
export class UnauthorizedError extends Error {}

/** The error of a request beyond the rate limit of its workspace, or of its address if the caller is anonymous. */
export class RateLimitedError extends Error {
  /** @param isFirst whether no earlier request of the same window was refused */
  constructor(
    readonly retryAfterSeconds: number,
    readonly caller: "workspace" | "address",
    readonly isFirst: boolean,
  ) {
    super(`You have been rate limited. Please try again in ${retryAfterSeconds} seconds.`);
  }
}

/** The error of a request whose method and path belong to no operation. */
export class InvalidRequestUrlError extends Error {}
