import { setImmediate } from "node:timers/promises";
import type { Principal } from "../../access/keys/authenticate.js";
import { MAX_READ_BYTES, MAX_WRITE_ROLLUP_BYTES } from "../../budgets.js";
import { DomainError } from "../../domain/errors.js";
import type { Edit } from "../../domain/stored-object.js";
import type { Slot } from "../../queues/queue-slot.js";
import type { Store } from "../../storage/engine/store.js";
import type { Job } from "../../storage/jobs.js";
import type { Db, StorageScope } from "../../storage/tables.js";
import type { ConversionJob } from "../conversion/conversion-job.js";
import { awaitEventLoopTurn, runRelatedReads } from "./event-loop-turns.js";
import { ResponseCache } from "./response-cache.js";

/** Base URLs of the links in results, without a trailing slash. */
export interface Urls {
  /** The web application, which shows pages and databases. */
  readonly app: string;
  readonly api: string;
}

/** The context of a use case: the principal, the workspace and the connection. */
export interface Scope extends StorageScope {
  readonly principal: Principal;
  readonly urls: Urls;
  /** Bytes of stored values that the rollups of a response may read. */
  readonly maxRollupBytes: number;
  waitForTurn(): Promise<void>;
  /** Runs long reads of related objects: in a read few at a time, in a transaction at once, because other writes wait for it. */
  runRelatedReads<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Scope of a use case that runs in a transaction. Its `waitForTurn` only yields to the event loop, because other writes wait. */
export interface WriteScope extends Scope {
  /** The author and time that all changes of the use case record. */
  readonly edit: Edit;
  /** The conversion that has run before this transaction because it was too large for it; undefined if there was none. */
  readonly conversionJob: ConversionJob | undefined;
  /** Foreground jobs that the use case has inserted. They run after the commit, before the response. */
  readonly jobs: Job[];
}

/** Creates the scopes of use cases, which share a store and a response cache. */
export class Scopes {
  readonly #cache = new ResponseCache();

  constructor(
    readonly store: Store,
    readonly urls: Urls,
  ) {}

  /** Creates a scope for reads. `createSignal` creates the signal that cancels scans and waits; `slot` is the one of the request. */
  createReadScope(
    principal: Principal,
    createSignal?: () => AbortSignal,
    slot = this.store.createReadSlot(principal.workspaceId),
  ): ReadScope {
    return new ReadScope(this.store, this.urls, this.#cache, principal, createSignal, slot);
  }

  /** Frees the memory of caches, which only make later reads faster. */
  releaseMemory(): void {
    this.#cache.clear();
  }

  /** Creates a scope for a transaction of runWrite. Throws a DomainError (restricted) when the principal may not write. */
  createWriteScope(
    principal: Principal,
    tx: Db,
    { conversionJob, jobs }: Pick<WriteScope, "conversionJob" | "jobs">,
  ): WriteScope {
    requireWriteAccess(principal);
    return {
      principal,
      workspaceId: principal.workspaceId,
      db: tx,
      urls: this.urls,
      maxRollupBytes: MAX_WRITE_ROLLUP_BYTES,
      waitForTurn: setImmediate,
      runRelatedReads: (work) => work(),
      edit: { author: principal.userId, time: Date.now() },
      conversionJob,
      jobs,
    };
  }
}

/** Scope of a read-only use case. A class, because an object literal with a getter made a GET 40 % slower. */
export class ReadScope implements Scope {
  readonly workspaceId: string;
  readonly db: Db;
  readonly #store: Store;
  readonly #createSignal: (() => AbortSignal) | undefined;
  #signal: AbortSignal | undefined;

  /** See Scopes.createReadScope. */
  constructor(
    store: Store,
    readonly urls: Urls,
    readonly cache: ResponseCache,
    readonly principal: Principal,
    createSignal: (() => AbortSignal) | undefined,
    readonly slot: Slot,
  ) {
    this.#createSignal = createSignal;
    this.#store = store;
    this.workspaceId = principal.workspaceId;
    this.db = store.read;
  }

  /** Scope for queries that can read many rows. Created on demand, because that takes 2 µs and most requests need none. */
  get scanScope(): StorageScope {
    return { db: this.#store.openScan(this.workspaceId, this), workspaceId: this.workspaceId };
  }

  /** Cancels scans and reads that wait for turns. Created on demand, because it has a timer and most reads are short. */
  get signal(): AbortSignal | undefined {
    return (this.#signal ??= this.#createSignal?.());
  }

  get maxRollupBytes(): number {
    return MAX_READ_BYTES;
  }

  async waitForTurn(): Promise<void> {
    await awaitEventLoopTurn(this.workspaceId);
    this.signal?.throwIfAborted();
  }

  runRelatedReads<Result>(work: () => Promise<Result>): Promise<Result> {
    return runRelatedReads(this, work);
  }

  /** See Store.getGeneration. Call it before reading the version of a cache entry, so that a write in between is noticed. */
  getGeneration(): number | undefined {
    return this.#store.getGeneration(this.workspaceId);
  }
}

/** @throws DomainError (restricted) when the principal may not write */
export function requireWriteAccess({ readOnly }: Principal): void {
  if (readOnly) {
    throw new DomainError(
      "restricted",
      "API token is read-only. Use a key with full access to change something.",
    );
  }
}
