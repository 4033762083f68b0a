import type { Kysely } from "kysely";
import type { Principal } from "../access/authenticate.js";
import type { HttpRequest, Reply } from "../http/index.js";
import type { Tables } from "../storage/tables.js";

/** What every handler gets besides the request. */
export interface Context {
  principal: Principal;
  /** The identifier of the request, as X-Request-Id has it. */
  requestId: string;
  /**
   * Runs a job in a transaction, see Store.write, and gives the reply that the job made once it is durable. Every
   * handler that changes something does all of it in one such job, which it may run more than once. A request that was
   * answered before, and says so by its Idempotency-Key, gets that answer again in place of the job's.
   *
   * @param request what the handler was given
   */
  write<R extends Reply>(request: HttpRequest, job: (tx: Kysely<Tables>) => Promise<R>): Promise<R>;
}

/** Headers that the service adds to every response, so that no handler has to. */
export type SuppliedHeaders =
  "X-RateLimit-Limit" | "X-RateLimit-Remaining" | "X-RateLimit-Reset" | "X-Request-Id";
