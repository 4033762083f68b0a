import type { FairQueue, Release } from "./fair-queue.js";

/** The right of a request to run, which it acquires from a queue or, as UNLIMITED_SLOT, at once. */
export type Slot = Pick<QueueSlot, "acquire" | "end" | "isFree" | "releaseDuring">;

/** Slot without a queue, for which no request waits. */
export const UNLIMITED_SLOT: Slot = {
  isFree: true,
  acquire: async () => {},
  end() {},
  releaseDuring: (wait) => wait(),
};

/** Slot of one request in a FairQueue. */
export class QueueSlot {
  readonly #queue: FairQueue;
  readonly #tenantId: string;
  #release: Release | undefined;
  #isEnded = false;

  constructor(queue: FairQueue, tenantId: string) {
    this.#queue = queue;
    this.#tenantId = tenantId;
  }

  /** Whether the request would not wait for the slot. */
  get isFree(): boolean {
    return this.#queue.canAdmit(this.#tenantId);
  }

  /** Waits for the slot. Throws as FairQueue.acquire does. */
  async acquire(signal?: AbortSignal): Promise<void> {
    this.#release = await this.#queue.acquire(this.#tenantId, signal);
    // `end` may have been called during the wait.
    if (this.#isEnded) this.#giveBack();
  }

  /** Releases the slot, if the request holds it, and does not let `releaseDuring` acquire it again. */
  end(): void {
    this.#isEnded = true;
    this.#giveBack();
  }

  /** Releases the slot while `wait` runs, so that others can use it, and acquires it again. Throws errors of `wait` and `acquire`. */
  async releaseDuring<Result>(wait: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    if (this.#release === undefined) return wait();
    this.#giveBack();
    const result = await wait();
    await this.acquire(signal);
    return result;
  }

  #giveBack(): void {
    this.#release?.();
    this.#release = undefined;
  }
}
