import { setTimeout as sleep } from "node:timers/promises";
import {
  MAX_GROUP_MS,
  MAX_GROUP_SIZE,
  SHARED_GROUP_MS,
  MAX_WAITING_WRITES,
  MAX_WRITE_ATTEMPTS,
  WRITE_WAIT_MS,
} from "../../budgets.js";
import { BusyError, StorageUnavailableError, TransactionConflictError } from "../../errors.js";
import type { Db } from "../tables.js";
import { RoundRobinQueue } from "../../queues/round-robin.js";
import { GroupGathering } from "./group-gathering.js";
import { assertOpen, WriteConnection, type Transaction, type TransactionSource } from "./transaction.js";

interface WaitingWrite {
  readonly tenantId: string;
  /** Start of the wait, on the clock of performance.now(). */
  readonly waitingSince: number;
  /** Number of attempts that failed. */
  attempts: number;
  /** Estimated growth of its last run, which onWrite has received already. A rerun reports only the difference. */
  growthBytes: number;
  /** Runs the callback and remembers its result, which `resolve` returns to the caller after the commit. */
  run(tx: Db): Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Group commit: runs writes one after another, and commits waiting writes together with one write to the disk. Tenants take
 * turns. Groups of short and of long writes alternate, so that the short writes of all tenants wait for one long write at most.
 */
export class WriteQueue {
  readonly #source: TransactionSource;
  readonly #onIdle: () => void;
  readonly #waiting = new RoundRobinQueue<WaitingWrite>();
  /** Tenants whose last write caused a rollback. Their writes run alone, so that they cannot roll back those of others again. */
  readonly #isolatedTenants = new Set<string>();
  /** Whether the last group was one of long writes. */
  #wasLongGroup = true;
  #draining: Promise<void> | undefined;
  #groupEnd: Promise<void> | undefined;
  /** The error of the last group if its transaction could not begin. */
  #beginError: unknown;
  #closed = false;
  readonly #gathering = new GroupGathering(() => this.#waiting.size);

  /** @param onIdle called each time that the queue becomes empty */
  constructor(source: TransactionSource, onIdle = (): void => {}) {
    this.#source = source;
    this.#onIdle = onIdle;
  }

  /** Settles at the end of the current group; undefined between groups. */
  get groupEnd(): Promise<void> | undefined {
    return this.#groupEnd;
  }

  /** Number of writes that wait for a group. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** See Store.write. */
  write<T>(callback: (tx: Db) => Promise<T>, tenantId: string): Promise<T> {
    if (this.#closed) return Promise.reject(new StorageUnavailableError("The database is closed."));
    if (this.#waiting.size >= MAX_WAITING_WRITES) {
      return Promise.reject(new BusyError("Too many writes are waiting. Send this request again later."));
    }
    return new Promise<T>((resolve, reject) => {
      let settle: () => void;
      this.#waiting.push({
        tenantId,
        waitingSince: performance.now(),
        attempts: 0,
        growthBytes: 0,
        run: async (tx) => {
          const result = await callback(tx);
          settle = () => resolve(result);
        },
        resolve: () => settle(),
        reject,
      });
      this.#gathering.notifyArrival();
      this.#draining ??= this.#drain();
    });
  }

  /** Refuses new writes and waits for the accepted ones. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.size > 0) {
      await this.#gathering.wait();
      let group = this.#takeGroup();
      while (group.length > 0) group = await this.#writeGroup(group);
    }
    this.#draining = undefined;
    this.#onIdle();
  }

  #takeGroup(): WaitingWrite[] {
    const oldestAllowed = performance.now() - WRITE_WAIT_MS;
    const writes = this.#waiting.take(MAX_GROUP_SIZE).filter((write) => {
      if (write.waitingSince >= oldestAllowed) return true;
      write.reject(this.#beginError ?? new BusyError("The write waited too long. Send it again later."));
      return false;
    });
    const [first] = writes;
    if (first === undefined) return [];
    const isIsolated = ({ tenantId }: WaitingWrite): boolean => this.#isolatedTenants.has(tenantId);
    const group = isIsolated(first) ? [first] : writes.filter((write) => !isIsolated(write));
    if (group.length < writes.length) this.#waiting.putBack(writes.filter((write) => !group.includes(write)));
    const isLong = ({ tenantId }: WaitingWrite): boolean => this.#source.longTenants.has(tenantId);
    const long = group.filter(isLong);
    const short = group.filter((write) => !isLong(write));
    this.#wasLongGroup = short.length === 0 || (long.length > 0 && !this.#wasLongGroup);
    const [next, later] = this.#wasLongGroup ? [long, short] : [short, long];
    if (later.length > 0) this.#waiting.putBack(later);
    return next;
  }

  /** Runs writes in one transaction. When one fails after a change, rolls back, and returns the writes before it, to run again. */
  async #writeGroup(writes: readonly WaitingWrite[]): Promise<WaitingWrite[]> {
    let transaction;
    try {
      transaction = await this.#source.begin();
      this.#beginError = undefined;
    } catch (error) {
      this.#beginError = error;
      for (const write of writes) this.#rejectOrRetry(write, error);
      return [];
    }
    let endGroup = (): void => {};
    this.#groupEnd = new Promise((resolve) => (endGroup = resolve));
    const start = performance.now();
    const firstTenant = writes[0]?.tenantId ?? "";
    const hasSeveralTenants = writes.some(({ tenantId }) => tenantId !== firstTenant);
    const succeeded: WaitingWrite[] = [];
    let startedCount = 0;
    let runMs = 0;
    let isRolledBack = false;
    try {
      for (const write of writes) {
        const isShared = hasSeveralTenants || this.#isAwaitedByOthers(firstTenant);
        const hasUsedItsTime = performance.now() - start > (isShared ? SHARED_GROUP_MS : MAX_GROUP_MS);
        if (startedCount > 0 && hasUsedItsTime) break;
        startedCount += 1;
        const result = await this.#runWrite(transaction, write);
        if (result === "succeeded") succeeded.push(write);
        if (result !== "dirty") continue;
        isRolledBack = true;
        await transaction.rollBack();
        return succeeded;
      }
      if (succeeded.length > 0) runMs = performance.now() - start;
      await this.#commit(transaction, succeeded);
      return [];
    } catch (error) {
      for (const write of succeeded) this.#rejectOrRetry(write, error);
      await transaction.rollBack();
      return [];
    } finally {
      // The writes that did not run join the next group.
      if (startedCount < writes.length) {
        this.#waiting.putBack(writes.slice(startedCount));
        const { pauseMs = 0 } = this.#source;
        if (pauseMs > 0 && !isRolledBack) await sleep(pauseMs);
      }
      this.#gathering.recordGroup(startedCount, runMs);
      this.#groupEnd = undefined;
      endGroup();
    }
  }

  /** Whether writes of other tenants, or other transactions, wait for a group of a tenant. */
  #isAwaitedByOthers(tenantId: string): boolean {
    return this.#waiting.hasOtherTenants(tenantId) || this.#source.hasWaitingTransactions?.() === true;
  }

  /** Commits a transaction, and resolves its writes. Rolls it back if no write has succeeded. */
  async #commit(transaction: Transaction, succeeded: readonly WaitingWrite[]): Promise<void> {
    if (succeeded.length === 0) return transaction.rollBack();
    const start = performance.now();
    await transaction.commit();
    this.#gathering.recordCommit(performance.now() - start);
    this.#source.onCommit?.(succeeded.length);
    for (const write of succeeded) write.resolve();
  }

  /** Runs a write, and rejects it if it fails: "dirty" if it has changed something. Throws when the whole transaction is lost. */
  async #runWrite(transaction: Transaction, write: WaitingWrite): Promise<"succeeded" | "failed" | "dirty"> {
    const connection = new WriteConnection(transaction);
    const start = performance.now();
    try {
      await write.run(this.#source.openKysely(connection));
      connection.end();
      connection.assertSucceeded();
      this.#source.onWrite(write.tenantId, connection.growthBytes - write.growthBytes);
      write.growthBytes = connection.growthBytes;
      this.#isolatedTenants.delete(write.tenantId);
      return "succeeded";
    } catch (error) {
      connection.end();
      this.#rejectOrRetry(write, error);
      assertOpen(transaction);
      if (!connection.isDirty) return "failed";
      this.#isolatedTenants.add(write.tenantId);
      return "dirty";
    } finally {
      const { longTenants, longWriteMs } = this.#source;
      const timeMs = Math.max(performance.now() - start, (longTenants.get(write.tenantId) ?? 0) / 2);
      if (timeMs > longWriteMs) longTenants.set(write.tenantId, timeMs);
      else longTenants.delete(write.tenantId);
    }
  }

  /** Rejects a write, or queues it again after a conflict with another transaction. */
  #rejectOrRetry(write: WaitingWrite, error: unknown): void {
    write.attempts += 1;
    if (error instanceof TransactionConflictError && write.attempts < MAX_WRITE_ATTEMPTS)
      this.#waiting.push(write);
    else write.reject(error);
  }
}
