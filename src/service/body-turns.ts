import { setImmediate } from "node:timers/promises";
import type { HandlerContext } from "../adapters/context.js";
import { BODY_QUEUE } from "../budgets.js";
import { ClientClosedError } from "../errors.js";
import { FairQueue } from "../queues/fair-queue.js";
import type { RequestContext } from "../http/index.js";
import { createCancelSignal } from "./cancel-signal.js";

/**
 * Turns of the event loop from one large body to the next. Other requests need several: a write takes about four. With the turns of
 * `awaitEventLoopTurn`, which follow each other faster, a small write took six times as long beside 40 workspaces with bodies of
 * 210 KB, because more large writes were in progress.
 */
const TURNS_PER_BODY = 4;

/** Module state, because all services of a process share its event loop. */
const queue = new FairQueue(BODY_QUEUE);

/** Waits for a turn in which a large body is parsed. Throws a BusyError after a long wait, or a ClientClosedError. */
export async function awaitBodyTurn(
  { scope: { workspaceId } }: HandlerContext,
  { response }: Pick<RequestContext, "response">,
): Promise<void> {
  // Creating the signal takes 25 µs, and a body that does not wait for others needs none.
  const signal = queue.canAdmit(workspaceId) ? undefined : createCancelSignal(response);
  await queue.run(workspaceId, awaitTurns, signal);
  if (response.destroyed) throw new ClientClosedError();
}

async function awaitTurns(): Promise<void> {
  for (let turns = 0; turns < TURNS_PER_BODY; turns += 1) await setImmediate();
}
