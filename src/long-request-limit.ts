import { LRUCache } from "lru-cache";

export interface LongRequestOptions {
  /** Slots that tenants with long requests use together. */
  readonly slots: number;
  /** Milliseconds from which a request is long. */
  readonly minMs: number;
  /** Milliseconds after a long request for which its tenant counts as one with long requests. */
  readonly rememberedMs: number;
}

/** Tenants whose last long request is remembered. */
const REMEMBERED_TENANTS = 10_000;

/**
 * Limits the slots that tenants with long requests use together, so that tenants with short ones do not wait for them. A tenant
 * counts as one with long requests for some time after a long one.
 */
export class LongRequestLimit {
  readonly #options: LongRequestOptions;
  /** Time of the last long request of each tenant that had one. */
  readonly #lastLongRequest = new LRUCache<string, number>({ max: REMEMBERED_TENANTS });
  #usedSlots = 0;

  constructor(options: LongRequestOptions) {
    this.#options = options;
  }

  canAdmit(tenantId: string): boolean {
    return this.#usedSlots < this.#options.slots || this.#hasShortRequests(tenantId);
  }

  /** Returns the function that ends the use of the slot, and gets its duration. */
  admit(tenantId: string): (useMs: number) => void {
    const slots = this.#hasShortRequests(tenantId) ? 0 : 1;
    this.#usedSlots += slots;
    return (useMs) => {
      this.#usedSlots -= slots;
      if (useMs >= this.#options.minMs) this.#lastLongRequest.set(tenantId, performance.now());
    };
  }

  #hasShortRequests(tenantId: string): boolean {
    const lastLongRequest = this.#lastLongRequest.get(tenantId) ?? -Infinity;
    return performance.now() - lastLongRequest > this.#options.rememberedMs;
  }
}
