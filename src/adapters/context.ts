import type { Principal } from "../access/authenticate.js";

/** What every handler gets besides the request. */
export interface Context {
  principal: Principal;
}

/** Headers that the service adds to every response, so that no handler has to. */
export type SuppliedHeaders =
  "X-RateLimit-Limit" | "X-RateLimit-Remaining" | "X-RateLimit-Reset" | "X-Request-Id";
