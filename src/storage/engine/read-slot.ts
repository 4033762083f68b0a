import type { FairQueue, Release } from "./fair-queue.js";

/** Slot of one request among the read connections. The request does not hold it at first. */
export class ReadSlot {
  readonly #queue: FairQueue;
  readonly #workspaceId: string;
  #release: Release | undefined;

  constructor(queue: FairQueue, workspaceId: string) {
    this.#queue = queue;
    this.#workspaceId = workspaceId;
  }

  /**
   * Waits for the slot. Workspaces take turns.
   *
   * @throws BusyError when too many reads of the workspace wait, or this one has waited for too long
   */
  async acquire(): Promise<void> {
    this.#release = await this.#queue.acquire(this.#workspaceId);
  }

  /** Releases the slot, if the request holds it. */
  release(): void {
    this.#release?.();
    this.#release = undefined;
  }

  /**
   * Runs a scan, and lets other requests have the slot in the meantime.
   *
   * @throws what the scan throws; BusyError as `acquire` does
   */
  async runScan<Result>(scan: () => Promise<Result>): Promise<Result> {
    if (this.#release === undefined) return scan();
    this.release();
    const result = await scan();
    await this.acquire();
    return result;
  }
}
