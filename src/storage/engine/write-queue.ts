import { setTimeout as sleep } from "node:timers/promises";
import {
  MAX_GROUP_MS,
  MAX_GROUP_SIZE,
  MAX_SHARED_GROUP_MS,
  MAX_WAITING_WRITES,
  MAX_WRITE_ATTEMPTS,
  WRITE_WAIT_MS,
} from "../../budgets.js";
import { BusyError, StorageUnavailableError, TransientConflictError } from "./errors.js";
import type { Db } from "../tables.js";
import { RoundRobin } from "./round-robin.js";
import { assertOpen, JobConnection, type Transaction, type TransactionSource } from "./transaction.js";

/** Time that a group waits for further jobs. */
const GATHERING_MS = 5;

/** Time after a commit in which its clients are expected to write again. */
const EXPECTED_RETURN_MS = 20;

interface WaitingJob {
  readonly tenantId: string;
  /** Start of the wait, on the clock of performance.now(). */
  readonly waitingSince: number;
  attempts: number;
  /** Runs the job and remembers its result, which `resolve` returns to the caller after the commit. */
  run(tx: Db): Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Runs jobs one after another, and commits waiting jobs together as a group, because a commit costs one write to the disk for
 * any number of jobs. Tenants take turns. Long jobs run last in each group, so that the short jobs of all tenants do not wait
 * for them.
 */
export class WriteQueue {
  readonly #source: TransactionSource;
  readonly #onIdle: () => void;
  readonly #waiting = new RoundRobin<WaitingJob>();
  /** Tenants whose last job was long. */
  readonly #longTenants = new Set<string>();
  #draining: Promise<void> | undefined;
  #groupEnd: Promise<void> | undefined;
  #closed = false;
  /** Expected number of jobs in the next group: the jobs of the last group, plus the jobs that waited behind it. */
  #expectedCount = 0;
  #commitMs = 0;
  /** End of the last group, on the clock of performance.now(). */
  #lastGroupEnd = -EXPECTED_RETURN_MS;
  #endPause: (() => void) | undefined;

  /** @param onIdle called each time that the queue becomes empty */
  constructor(source: TransactionSource, onIdle = (): void => {}) {
    this.#source = source;
    this.#onIdle = onIdle;
  }

  /** Settles at the end of the current group; undefined between groups. */
  get groupEnd(): Promise<void> | undefined {
    return this.#groupEnd;
  }

  /** Number of jobs that wait for a group. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** See Store.write. */
  write<T>(job: (tx: Db) => Promise<T>, tenantId: string): Promise<T> {
    if (this.#closed) return Promise.reject(new StorageUnavailableError("The database is closed."));
    if (this.#waiting.size >= MAX_WAITING_WRITES) {
      return Promise.reject(new BusyError("Too many writes are waiting for the database."));
    }
    return new Promise<T>((resolve, reject) => {
      let settle: () => void;
      this.#waiting.push({
        tenantId,
        waitingSince: performance.now(),
        attempts: 0,
        run: async (tx) => {
          const result = await job(tx);
          settle = () => resolve(result);
        },
        resolve: () => settle(),
        reject,
      });
      if (this.#waiting.size >= this.#expectedCount) this.#endPause?.();
      this.#draining ??= this.#drain();
    });
  }

  /** Refuses new jobs and waits for the accepted ones. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.size > 0) {
      await this.#gather();
      await this.#writeGroup(this.#takeGroup());
    }
    this.#draining = undefined;
    this.#onIdle();
  }

  /**
   * Waits for more jobs: requests that have arrived, and clients of the last group, which often write again at the same time.
   * Ends when no further job arrives within the duration of a commit.
   */
  async #gather(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const now = performance.now();
    if (now - this.#lastGroupEnd > EXPECTED_RETURN_MS) return;
    let previousCount = -1;
    while (
      this.#waiting.size < this.#expectedCount &&
      this.#waiting.size > previousCount &&
      performance.now() - now < GATHERING_MS
    ) {
      previousCount = this.#waiting.size;
      await this.#pause();
    }
  }

  /** Waits for the duration of a commit, or until the expected number of jobs have arrived. */
  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(this.#commitMs, GATHERING_MS));
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endPause = undefined;
  }

  #takeGroup(): WaitingJob[] {
    const oldestAllowed = performance.now() - WRITE_WAIT_MS;
    const jobs = this.#waiting.take(MAX_GROUP_SIZE).filter((job) => {
      if (job.waitingSince >= oldestAllowed) return true;
      job.reject(new BusyError("The write waited too long for the database."));
      return false;
    });
    const isLong = ({ tenantId }: WaitingJob): boolean => this.#longTenants.has(tenantId);
    return [...jobs.filter((job) => !isLong(job)), ...jobs.filter(isLong)];
  }

  async #writeGroup(jobs: WaitingJob[]): Promise<void> {
    const [first] = jobs;
    if (first === undefined) return;
    let transaction;
    try {
      transaction = await this.#source.begin(this.#longTenants.has(first.tenantId));
    } catch (error) {
      for (const job of jobs) this.#fail(job, error);
      return;
    }
    let endGroup = (): void => {};
    this.#groupEnd = new Promise((resolve) => (endGroup = resolve));
    const succeeded: WaitingJob[] = [];
    const started = new Set<WaitingJob>();
    let hasStartedLong = false;
    const start = performance.now();
    const hasSeveralTenants = jobs.some(({ tenantId }) => tenantId !== first.tenantId);
    const isOver = (): boolean => {
      const isShared =
        hasSeveralTenants || this.#waiting.hasOthers(first.tenantId) || this.#source.isAwaited?.() === true;
      return performance.now() - start > (isShared ? MAX_SHARED_GROUP_MS : MAX_GROUP_MS);
    };
    try {
      for (const job of jobs) {
        const isLong = this.#longTenants.has(job.tenantId);
        // The first long job runs in any case, because short jobs of others could delay it forever.
        if (started.size > 0 && isOver() && (!isLong || hasStartedLong)) continue;
        started.add(job);
        hasStartedLong ||= isLong;
        if (await this.#runJob(transaction, job)) {
          succeeded.push(job);
          if (started.size < jobs.length) await transaction.releaseJob();
        } else await transaction.rollBackJob();
      }
      if (succeeded.length > 0) {
        const commitStart = performance.now();
        await transaction.commit();
        this.#commitMs = performance.now() - commitStart;
        this.#source.onCommit?.(succeeded.length);
      } else await transaction.rollBack();
      for (const job of succeeded) job.resolve();
    } catch (error) {
      for (const job of succeeded) this.#fail(job, error);
      await transaction.rollBack();
    } finally {
      // The jobs that did not run join the next group.
      if (started.size < jobs.length) {
        this.#waiting.putBack(jobs.filter((job) => !started.has(job)));
        const { pauseMs = 0 } = this.#source;
        if (pauseMs > 0) await sleep(pauseMs);
      }
      this.#expectedCount = started.size + this.#waiting.size;
      this.#lastGroupEnd = performance.now();
      this.#groupEnd = undefined;
      endGroup();
    }
  }

  /**
   * Runs a job, and rejects it if it fails. Then the caller rolls back its changes. Returns whether the job succeeded.
   * Throws a StorageUnavailableError when the whole transaction is lost.
   */
  async #runJob(transaction: Transaction, job: WaitingJob): Promise<boolean> {
    const connection = new JobConnection(transaction);
    const start = performance.now();
    job.attempts += 1;
    try {
      await job.run(this.#source.openKysely(connection));
      connection.end();
      connection.assertSucceeded();
      this.#source.onWrite(job.tenantId, connection.growthBytes);
      return true;
    } catch (error) {
      connection.end();
      this.#fail(job, error);
      assertOpen(transaction);
      return false;
    } finally {
      if (performance.now() - start > MAX_SHARED_GROUP_MS) this.#longTenants.add(job.tenantId);
      else this.#longTenants.delete(job.tenantId);
    }
  }

  /** Rejects a job, or queues it again after a conflict with another transaction. */
  #fail(job: WaitingJob, error: unknown): void {
    if (error instanceof TransientConflictError && job.attempts < MAX_WRITE_ATTEMPTS) this.#waiting.push(job);
    else job.reject(error);
  }
}
