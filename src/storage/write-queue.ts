import type { Kysely } from "kysely";
import { StorageUnavailableError, TransientConflictError } from "./errors.js";
import type { Tables } from "./tables.js";
import { assertOpen, JobConnection, type Transaction, type TransactionSource } from "./transaction.js";

/** Bounds how long a group can keep the others waiting. */
const MAX_GROUP = 256;

/** How long a group waits for more to arrive at most, in milliseconds, however long commits take. */
const MAX_GATHERING = 5;

/** How soon somebody who was answered writes again, in milliseconds, or is not waited for. */
const SOON = 20;

/** Bounds the memory for jobs that wait. */
const MAX_WAITING = 10_000;

/** A job that has waited for longer, in milliseconds, is refused: whoever asked for it has given up, or should. */
const MAX_WAIT = 10_000;

/** How often a job is tried when the database asks for that. */
const MAX_TRIES = 5;

interface WaitingJob {
  /** On the clock of performance.now(). */
  readonly since: number;
  /** How often it was begun. */
  tries: number;
  /** Runs the job; its result is kept until `resolve`. */
  run(tx: Kysely<Tables>): Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Runs jobs one after another and commits those that wait together at once: a commit costs a write to the disk, whether
 * it carries one job or a hundred.
 */
export class WriteQueue {
  readonly #source: TransactionSource;
  readonly #onIdle: () => void;
  #waiting: WaitingJob[] = [];
  #draining: Promise<void> | undefined;
  #groupEnd: Promise<void> | undefined;
  #closed = false;
  /** How many jobs may well come together: those that were answered last, who write again, and those that waited then. */
  #expected = 0;
  /** How long the last commit took, in milliseconds. */
  #commitTime = 0;
  /** When they were answered, on the clock of performance.now(). */
  #answered = -SOON;
  #endPause: (() => void) | undefined;

  /** @param onIdle Is called each time that nothing is left to write. */
  constructor(source: TransactionSource, onIdle = (): void => {}) {
    this.#source = source;
    this.#onIdle = onIdle;
  }

  /** Settles when the group that is being written is over; undefined when none is. */
  get groupEnd(): Promise<void> | undefined {
    return this.#groupEnd;
  }

  /** Jobs that wait for a group. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** See Store.write. */
  write<T>(job: (tx: Kysely<Tables>) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new StorageUnavailableError("The database is closed."));
    if (this.#waiting.length >= MAX_WAITING) {
      return Promise.reject(new StorageUnavailableError("Too many writes wait for the database already."));
    }
    return new Promise<T>((resolve, reject) => {
      let settle: () => void;
      this.#waiting.push({
        since: performance.now(),
        tries: 0,
        run: async (tx) => {
          const result = await job(tx);
          settle = () => resolve(result);
        },
        resolve: () => settle(),
        reject,
      });
      if (this.#waiting.length >= this.#expected) this.#endPause?.();
      this.#draining ??= this.#drain();
    });
  }

  /** Refuses new jobs and waits for those that were accepted. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      await this.#writeGroup(this.#takeGroup());
    }
    this.#draining = undefined;
    this.#onIdle();
  }

  /**
   * Lets the event loop hand over the requests that have arrived, so that they join the group. Those who were answered
   * together write again at about the same time, and are waited for: as long as one follows another within the time that a
   * commit of its own would take.
   */
  async #gather(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    const now = performance.now();
    if (now - this.#answered > SOON) return;
    let known = -1;
    while (
      this.#waiting.length < this.#expected &&
      this.#waiting.length > known &&
      performance.now() - now < MAX_GATHERING
    ) {
      known = this.#waiting.length;
      await this.#pause();
    }
  }

  /** Waits for as long as a commit takes, or until as many jobs as are expected wait. */
  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(this.#commitTime, MAX_GATHERING));
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endPause = undefined;
  }

  #takeGroup(): WaitingJob[] {
    const oldest = performance.now() - MAX_WAIT;
    return this.#waiting.splice(0, MAX_GROUP).filter((job) => {
      if (job.since >= oldest) return true;
      job.reject(new StorageUnavailableError("The database was too slow for the write to begin."));
      return false;
    });
  }

  async #writeGroup(jobs: WaitingJob[]): Promise<void> {
    const [first] = jobs;
    if (first === undefined) return;
    let transaction;
    try {
      transaction = await this.#source.begin(first.since);
    } catch (error) {
      for (const job of jobs) this.#fail(job, error);
      return;
    }
    let endGroup = (): void => {};
    this.#groupEnd = new Promise((resolve) => (endGroup = resolve));
    const done: WaitingJob[] = [];
    let started = 0;
    try {
      for (const job of jobs) {
        started += 1;
        if (await this.#runJob(transaction, job)) {
          done.push(job);
          if (started < jobs.length) await transaction.keepJob();
        } else await transaction.undoJob();
      }
      if (done.length > 0) {
        const began = performance.now();
        await transaction.commit();
        this.#commitTime = performance.now() - began;
        this.#source.committed?.(done.length);
      } else await transaction.rollBack();
      for (const job of done) job.resolve();
    } catch (error) {
      for (const job of done) this.#fail(job, error);
      // Those that were not reached are not to blame: they are tried in the next group.
      this.#waiting.unshift(...jobs.slice(started));
      await transaction.rollBack();
    } finally {
      this.#expected = jobs.length + this.#waiting.length;
      this.#answered = performance.now();
      this.#groupEnd = undefined;
      endGroup();
    }
  }

  /**
   * Whether the job succeeded; one that failed has been told, and must be undone.
   *
   * @throws when the whole transaction is lost
   */
  async #runJob(transaction: Transaction, job: WaitingJob): Promise<boolean> {
    const connection = new JobConnection(transaction);
    job.tries += 1;
    try {
      await job.run(this.#source.openKysely(connection));
      connection.end();
      connection.assertWhole();
      return true;
    } catch (error) {
      connection.end();
      this.#fail(job, error);
      assertOpen(transaction);
      return false;
    }
  }

  /** Tells the job's caller, unless the database asks to try it again. */
  #fail(job: WaitingJob, error: unknown): void {
    if (error instanceof TransientConflictError && job.tries < MAX_TRIES) this.#waiting.push(job);
    else job.reject(error);
  }
}
