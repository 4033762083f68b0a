import { LRUCache } from "lru-cache";

export interface LongUseOptions {
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
 * counts as one with long requests until its first short one, and for some time after a long one.
 */
export class LongUseLimit {
  readonly #options: LongUseOptions;
  /** Time of the last long request of each tenant; -Infinity without one. */
  readonly #lastLongUse = new LRUCache<string, number>({ max: REMEMBERED_TENANTS });
  #usedSlots = 0;

  constructor(options: LongUseOptions) {
    this.#options = options;
  }

  canAdmit(tenantId: string): boolean {
    return this.#usedSlots < this.#options.slots || this.#isShort(tenantId);
  }

  /** Returns the function that ends the use of the slot, and gets its duration. */
  admit(tenantId: string): (useMs: number) => void {
    const slots = this.#isShort(tenantId) ? 0 : 1;
    this.#usedSlots += slots;
    return (useMs) => {
      this.#usedSlots -= slots;
      if (useMs >= this.#options.minMs) this.#lastLongUse.set(tenantId, performance.now());
      else if (!this.#lastLongUse.has(tenantId)) this.#lastLongUse.set(tenantId, -Infinity);
    };
  }

  #isShort(tenantId: string): boolean {
    const lastLongUse = this.#lastLongUse.get(tenantId) ?? Infinity;
    return performance.now() - lastLongUse > this.#options.rememberedMs;
  }
}
