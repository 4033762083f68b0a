import { CLEANUP_BATCH_ROWS, CLEANUP_INTERVAL_MS } from "../budgets.js";
import { deleteExpiredResponses, findWorkspacesWithExpired } from "../storage/idempotency.js";
import type { Store } from "../storage/engine/store.js";

/**
 * Starts the periodic cleanup of expired rows.
 *
 * @param report receives the error of a failed run, which the next run retries
 * @returns A function that stops the cleanup.
 */
export function startCleanup(store: Store, report: (error: unknown) => void): () => void {
  let stopped = false;
  const run = async (): Promise<void> => {
    for (const workspaceId of await findWorkspacesWithExpired(store.read, Date.now())) {
      let deleted = CLEANUP_BATCH_ROWS;
      while (deleted === CLEANUP_BATCH_ROWS) {
        deleted = await store.write(
          (tx) => deleteExpiredResponses(tx, workspaceId, Date.now(), CLEANUP_BATCH_ROWS),
          workspaceId,
        );
      }
    }
  };
  const timer = setInterval(() => {
    run().catch((error: unknown) => {
      // Closing the store interrupts a run.
      if (!stopped) report(error);
    });
  }, CLEANUP_INTERVAL_MS);
  timer.unref();
  return () => {
    stopped = true;
    clearInterval(timer);
  };
}
