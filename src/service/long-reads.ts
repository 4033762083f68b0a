import { LRUCache } from "lru-cache";
import { LONG_READS_MS, MAX_TURN_MS } from "../budgets.js";
import type { Store } from "../storage/engine/store.js";

/**
 * Decides which reads wait for a turn of the event loop: those of workspaces whose reads have blocked it for longer than MAX_TURN_MS,
 * and all further ones when those that did not wait have taken so long together in this turn.
 */
export class LongReads {
  /** No more reads than `max` can be long within LONG_READS_MS. */
  readonly #workspaceIds = new LRUCache<string, true>({
    max: LONG_READS_MS / MAX_TURN_MS,
    ttl: LONG_READS_MS,
  });
  readonly #readsInEventLoop: boolean;
  /** Time of the reads that began in this turn of the event loop without waiting for it. */
  #turnMs = 0;

  constructor({ readsInEventLoop }: Pick<Store, "readsInEventLoop">) {
    this.#readsInEventLoop = readsInEventLoop;
  }

  /** Whether a read of a workspace waits for a turn. */
  mustWait(workspaceId: string): boolean {
    return this.#turnMs > MAX_TURN_MS || this.#workspaceIds.has(workspaceId);
  }

  /** Runs a read, and remembers its workspace if it is long. `hasWaited` tells whether it waited for this turn. */
  async measure<Result>(
    workspaceId: string,
    hasWaited: boolean,
    read: () => Promise<Result>,
  ): Promise<Result> {
    const start = performance.now();
    const recordTime = (): void => {
      if (performance.now() - start > MAX_TURN_MS) this.#workspaceIds.set(workspaceId, true);
    };
    // The next tick begins when the read waits for the first time, or has ended. So the time of its waits does not count.
    const measured = new Promise<void>((resolve) => {
      process.nextTick(() => {
        recordTime();
        if (!hasWaited) this.#addToTurn(performance.now() - start);
        resolve();
      });
    });
    const result = await read();
    await measured;
    // With PostgreSQL most of the work follows a wait for the database, which counts too.
    if (!this.#readsInEventLoop) recordTime();
    return result;
  }

  #addToTurn(timeMs: number): void {
    if (this.#turnMs === 0) setImmediate(() => (this.#turnMs = 0));
    this.#turnMs += timeMs;
  }
}
