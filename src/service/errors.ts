/** The request has no valid API key. */
export class Unauthorized extends Error {}

/** The workspace, or the address of an anonymous caller, has used up its rate limit window. */
export class RateLimited extends Error {
  constructor(
    readonly retryAfterSeconds: number,
    readonly caller: "workspace" | "address",
  ) {
    super(`You have been rate limited. Please try again in ${retryAfterSeconds} seconds.`);
  }
}

/** No operation has the method and path of the request. */
export class InvalidRequestUrl extends Error {}
