import { createLruCache } from "../lru-cache.js";

export interface LongRequestOptions {
  /** Slots that tenants with long requests use together. */
  readonly slots: number;
  /** Milliseconds from which a request is long. */
  readonly minMs: number;
  /** Multiple of a long request's duration for which its tenant counts as one with long requests afterwards. */
  readonly rememberedFactor: number;
}

/** Number of tenants whose earlier requests a queue remembers. */
export const REMEMBERED_TENANTS = 10_000;

/** Limits the slots of tenants with long requests: those that had one, for some time in proportion to its duration. */
export class LongRequestLimit {
  readonly #options: LongRequestOptions;
  /** Time until which each tenant counts as one with long requests, if it had one. */
  readonly #rememberedUntil = createLruCache<number>(REMEMBERED_TENANTS);
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
      if (useMs < this.#options.minMs) return;
      const until = performance.now() + useMs * this.#options.rememberedFactor;
      this.#rememberedUntil.set(tenantId, Math.max(until, this.#rememberedUntil.get(tenantId) ?? -Infinity));
    };
  }

  #hasShortRequests(tenantId: string): boolean {
    return performance.now() > (this.#rememberedUntil.get(tenantId) ?? -Infinity);
  }
}
