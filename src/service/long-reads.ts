import { LRUCache } from "lru-cache";
import { LONG_READS_MS, MAX_TURN_MS } from "../budgets.js";
import type { Store } from "../storage/engine/store.js";

/** Memory of the workspaces whose reads have blocked the event loop for longer than MAX_TURN_MS. */
export class LongReads {
  /** No more reads than `max` can be long within LONG_READS_MS. */
  readonly #workspaceIds = new LRUCache<string, true>({
    max: LONG_READS_MS / MAX_TURN_MS,
    ttl: LONG_READS_MS,
  });
  readonly #readsInEventLoop: boolean;

  constructor({ readsInEventLoop }: Pick<Store, "readsInEventLoop">) {
    this.#readsInEventLoop = readsInEventLoop;
  }

  /** Whether a read of a workspace was long within LONG_READS_MS. */
  has(workspaceId: string): boolean {
    return this.#workspaceIds.has(workspaceId);
  }

  /** Runs a read, and remembers its workspace if it is long. */
  async measure<Result>(workspaceId: string, read: () => Promise<Result>): Promise<Result> {
    const start = performance.now();
    const recordTime = (): void => {
      if (performance.now() - start > MAX_TURN_MS) this.#workspaceIds.set(workspaceId, true);
    };
    // The next tick begins when the read waits for the first time, or has ended. So the time of its waits does not count.
    const measured = new Promise<void>((resolve) => {
      process.nextTick(() => {
        recordTime();
        resolve();
      });
    });
    const result = await read();
    await measured;
    // With PostgreSQL most of the work follows a wait for the database, which counts too.
    if (!this.#readsInEventLoop) recordTime();
    return result;
  }
}
