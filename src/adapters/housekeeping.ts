import { removeOldAnswers } from "../storage/idempotency.js";
import type { Store } from "../storage/store.js";

/** Milliseconds from one removal of old answers to the next. */
const INTERVAL = 10 * 60 * 1000;

/** Rows that are removed at once: requests that write wait for them. */
const BATCH = 100;

/**
 * Removes what nobody needs any more, now and then, beside the requests.
 *
 * @param report is told when that fails; the next time may go well
 * @returns stops it
 */
export function startHousekeeping(store: Store, report: (error: unknown) => void): () => void {
  let stopped = false;
  const tidy = async (): Promise<void> => {
    let removed = BATCH;
    while (removed === BATCH) {
      removed = await store.write((tx) => removeOldAnswers(tx, Date.now(), BATCH));
    }
  };
  const timer = setInterval(() => {
    tidy().catch((error: unknown) => {
      // Closing the store ends it in the middle.
      if (!stopped) report(error);
    });
  }, INTERVAL);
  timer.unref();
  return () => {
    stopped = true;
    clearInterval(timer);
  };
}
