import type { FairQueue, Release } from "../../fair-queue.js";

/** Slot of one request among those that read concurrently. The request does not hold it at first. */
export class ReadSlot {
  readonly #queue: FairQueue;
  readonly #workspaceId: string;
  #release: Release | undefined;
  #isEnded = false;

  constructor(queue: FairQueue, workspaceId: string) {
    this.#queue = queue;
    this.#workspaceId = workspaceId;
  }

  /**
   * Waits for the slot. Workspaces take turns.
   *
   * @param signal ends the wait
   * @throws BusyError when too many reads of the workspace wait, or this one has waited for too long; the reason of
   *   `signal` when it is aborted
   */
  async acquire(signal?: AbortSignal): Promise<void> {
    this.#release = await this.#queue.acquire(this.#workspaceId, signal);
    // A request can fail while another of its scans still runs.
    if (this.#isEnded) this.#giveBack();
  }

  /** Releases the slot, if the request holds it, and does not let its scans acquire it again. */
  end(): void {
    this.#isEnded = true;
    this.#giveBack();
  }

  /**
   * Runs a scan, and lets other requests have the slot in the meantime.
   *
   * @throws what the scan throws; BusyError as `acquire` does
   */
  async runScan<Result>(scan: () => Promise<Result>): Promise<Result> {
    if (this.#release === undefined) return scan();
    this.#giveBack();
    const result = await scan();
    await this.acquire();
    return result;
  }

  #giveBack(): void {
    this.#release?.();
    this.#release = undefined;
  }
}
