import { createLruCache } from "../lru-cache.js";
import { BusyError } from "../errors.js";
import { LongRequestLimit, type LongRequestOptions, REMEMBERED_TENANTS } from "./long-request-limit.js";

export interface FairQueueOptions {
  /** Maximum number of slots that are in use. */
  readonly slots: number;
  /** Maximum number of slots that one tenant uses. */
  readonly slotsPerTenant: number;
  /** The same while other tenants use the queue. By default, `slotsPerTenant`. */
  readonly slotsPerTenantIfShared?: number;
  /** Limit of the slots for long requests. Without it they can use all slots. */
  readonly longRequests?: LongRequestOptions;
  /** Maximum number of waiting requests of one tenant; further ones are refused at once. */
  readonly maxWaitingPerTenant: number;
  /**
   * Maximum number of waiting requests of all tenants. Limit it if anybody can be a new tenant. Beyond it, a request replaces
   * the last one of the tenant with the most, so that a few tenants cannot shut out the others.
   */
  readonly maxWaiting?: number;
  /** Milliseconds after which a waiting request is refused. */
  readonly maxWaitMs: number;
}

export type Release = () => void;

interface WaitingRequest {
  admit(): void;
  refuse(error: unknown): void;
}

interface Tenant {
  usedSlots: number;
  readonly waiting: WaitingRequest[];
  /** Time for which the tenant has held slots since the queue was last idle. */
  usedMs: number;
  /** Time for which the last request held its slot, since the queue was last idle. */
  lastUseMs: number;
}

/** Scores that differ by less count as equal, so that tenants with short requests take turns. */
const USE_UNIT_MS = 100;

/** Time for which a tenant counts as one that uses the queue after it has asked for a slot. */
const RECENT_USE_MS = 1000;

/**
 * Semaphore whose tenants take turns by start-time fair queueing. A free slot goes to the tenant with the lowest score: the time
 * for which it has held slots, plus the duration of its last request as an estimate for the next one. Scores within USE_UNIT_MS
 * count as equal, and their tenants are served round-robin. So neither a tenant with many waiting requests nor many tenants with
 * long ones delay a tenant with few short ones by more than one request.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  /** Tenants with slots or waiting requests, in the order of their turns. */
  readonly #tenants = new Map<string, Tenant>();
  /** Tenants that have had slots since the queue was last idle, and have none and no waiting requests now. */
  readonly #absentTenants = createLruCache<Tenant>(REMEMBERED_TENANTS);
  /** Highest `usedMs` that a tenant had when it was admitted, since the queue was last idle. */
  #admittedUseMs = 0;
  readonly #longRequests: LongRequestLimit | undefined;
  /** The tenant that asked for a slot last. */
  #lastTenantId: string | undefined;
  /** Time at which it asked last. */
  #lastTime = -Infinity;
  /** Time at which any other tenant asked last. */
  #lastTimeOfOthers = -Infinity;
  #usedSlots = 0;
  #waitingCount = 0;
  #closed: Error | undefined;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#longRequests = options.longRequests && new LongRequestLimit(options.longRequests);
  }

  /** Whether a request waits for a slot. */
  get hasWaiting(): boolean {
    return this.#waitingCount > 0;
  }

  /** Whether `acquire` would not wait. */
  canAdmit(tenantId: string): boolean {
    const { slots, slotsPerTenant, slotsPerTenantIfShared = slotsPerTenant } = this.#options;
    const usedByTenant = this.#tenants.get(tenantId)?.usedSlots ?? 0;
    if (this.#usedSlots >= slots || usedByTenant >= slotsPerTenant) return false;
    if (usedByTenant >= slotsPerTenantIfShared && this.#isSharedWith(tenantId)) return false;
    return this.#longRequests?.canAdmit(tenantId) ?? true;
  }

  /** Waits for a slot, and returns the function that releases it. Throws a BusyError, or the reason of `signal` when it is aborted. */
  async acquire(tenantId: string, signal?: AbortSignal): Promise<Release> {
    if (this.#closed !== undefined) throw this.#closed;
    signal?.throwIfAborted();
    this.#recordUse(tenantId);
    const tenant = this.#tenants.get(tenantId) ?? this.#addTenant(tenantId);
    if (this.canAdmit(tenantId)) return this.#admit(tenantId, tenant);
    const { maxWaitingPerTenant, maxWaiting = Infinity } = this.#options;
    const count = tenant.waiting.length + 1;
    if (count > maxWaitingPerTenant || (this.#waitingCount >= maxWaiting && !this.#refuseLast(count))) {
      this.#removeIfIdle(tenantId, tenant);
      throw createTooManyError();
    }
    return new Promise<Release>((resolve, reject) => {
      const endWait = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
      };
      const waiting: WaitingRequest = {
        admit: () => {
          endWait();
          this.#waitingCount -= 1;
          resolve(this.#admit(tenantId, tenant));
        },
        refuse: (error) => {
          endWait();
          tenant.waiting.splice(tenant.waiting.indexOf(waiting), 1);
          this.#waitingCount -= 1;
          this.#removeIfIdle(tenantId, tenant);
          reject(error);
        },
      };
      const onAbort = (): void => waiting.refuse(signal?.reason);
      const timer = setTimeout(() => {
        waiting.refuse(new BusyError("The request waited too long. Send it again later."));
      }, this.#options.maxWaitMs);
      signal?.addEventListener("abort", onAbort, { once: true });
      tenant.waiting.push(waiting);
      this.#waitingCount += 1;
    });
  }

  /** Runs `work` in a slot. Throws as acquire() does, and errors of `work`. */
  async run<Result>(tenantId: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const release = await this.acquire(tenantId, signal);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Refuses waiting and future requests. Slots in use stay valid. */
  close(error: Error): void {
    this.#closed = error;
    for (const { waiting } of this.#tenants.values()) {
      // refuse() removes the request from the list.
      for (let next = waiting[0]; next !== undefined; next = waiting[0]) next.refuse(error);
    }
  }

  #recordUse(tenantId: string): void {
    if (tenantId !== this.#lastTenantId) this.#lastTimeOfOthers = this.#lastTime;
    this.#lastTenantId = tenantId;
    this.#lastTime = performance.now();
  }

  /** Whether other tenants than this one have used the queue recently. */
  #isSharedWith(tenantId: string): boolean {
    const time = tenantId === this.#lastTenantId ? this.#lastTimeOfOthers : this.#lastTime;
    return performance.now() - time < RECENT_USE_MS;
  }

  /** Adds a tenant, which starts at `#admittedUseMs` at least, so that its idle time is no credit to overtake busy tenants. */
  #addTenant(tenantId: string): Tenant {
    const tenant = this.#absentTenants.get(tenantId) ?? {
      usedSlots: 0,
      waiting: [],
      usedMs: 0,
      lastUseMs: 0,
    };
    this.#absentTenants.delete(tenantId);
    tenant.usedMs = Math.max(tenant.usedMs, this.#admittedUseMs);
    this.#tenants.set(tenantId, tenant);
    return tenant;
  }

  #removeIfIdle(tenantId: string, tenant: Tenant): void {
    if (tenant.usedSlots > 0 || tenant.waiting.length > 0) return;
    this.#tenants.delete(tenantId);
    // Tenants that were only refused must not replace others.
    if (tenant.lastUseMs > 0) this.#absentTenants.set(tenantId, tenant);
  }

  /** Refuses the last request of the tenant with the most. Returns false if fewer than `count` of its requests would wait then. */
  #refuseLast(count: number): boolean {
    let most: WaitingRequest[] = [];
    for (const { waiting } of this.#tenants.values()) if (waiting.length > most.length) most = waiting;
    if (most.length <= count) return false;
    most.at(-1)?.refuse(createTooManyError());
    return true;
  }

  #admit(tenantId: string, tenant: Tenant): Release {
    this.#usedSlots += 1;
    tenant.usedSlots += 1;
    this.#admittedUseMs = Math.max(this.#admittedUseMs, tenant.usedMs);
    const recordUse = this.#longRequests?.admit(tenantId);
    const start = performance.now();
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#usedSlots -= 1;
      tenant.usedSlots -= 1;
      const useMs = performance.now() - start;
      recordUse?.(useMs);
      tenant.lastUseMs = useMs;
      tenant.usedMs += useMs;
      // Moves the tenant behind all others.
      this.#tenants.delete(tenantId);
      this.#tenants.set(tenantId, tenant);
      this.#removeIfIdle(tenantId, tenant);
      // Several requests, if the released slot was the last one for tenants with long requests.
      while (this.#admitNext());
      if (this.#usedSlots > 0) return;
      this.#absentTenants.clear();
      this.#admittedUseMs = 0;
    };
  }

  /** Admits the waiting request whose turn it is; false if none can be admitted. */
  #admitNext(): boolean {
    let next: Tenant | undefined;
    let leastUse = Infinity;
    for (const [tenantId, tenant] of this.#tenants) {
      const use = Math.floor((tenant.usedMs + tenant.lastUseMs) / USE_UNIT_MS);
      if (tenant.waiting.length === 0 || !this.canAdmit(tenantId) || use >= leastUse) continue;
      next = tenant;
      leastUse = use;
    }
    next?.waiting.shift()?.admit();
    return next !== undefined;
  }
}

function createTooManyError(): BusyError {
  return new BusyError("Too many requests are waiting. Send this request again later.");
}
