import { setTimeout as sleep } from "node:timers/promises";
import type { CompiledQuery, DatabaseConnection, Kysely, QueryResult } from "kysely";
import { openKysely } from "./dialect.js";
import { ConflictError, StorageUnavailableError } from "./errors.js";
import type { SqliteConnection } from "./sqlite.js";
import type { Tables } from "./tables.js";

/** Bounds how long a group can keep the others waiting. */
const MAX_GROUP = 256;

/** How long a group waits for the lock of another process, in milliseconds. */
const LOCK_TIMEOUT = 5000;

const GIVEN_UP = "The database gave up the transaction, together with what others wrote in it.";

interface WaitingJob {
  /** On the clock of performance.now(). */
  readonly since: number;
  /** Runs the job; its result is kept until `resolve`. */
  run(tx: Kysely<Tables>): Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Runs jobs one after another on one connection and commits those that wait together at once: a commit costs
 * a write to the disk, whether it carries one job or a hundred.
 */
export class WriteQueue {
  readonly #connection: SqliteConnection;
  #waiting: WaitingJob[] = [];
  #draining: Promise<void> | undefined;
  #groupEnd: Promise<void> | undefined;
  #closed = false;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** Settles when the group that is being written is over; undefined when none is. */
  get groupEnd(): Promise<void> | undefined {
    return this.#groupEnd;
  }

  /** See Store.write. */
  write<T>(job: (tx: Kysely<Tables>) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new StorageUnavailableError("The database is closed."));
    return new Promise<T>((resolve, reject) => {
      let settle: () => void;
      this.#waiting.push({
        since: performance.now(),
        run: async (tx) => {
          const result = await job(tx);
          settle = () => resolve(result);
        },
        resolve: () => settle(),
        reject,
      });
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
      // Lets the event loop hand over the other requests that have arrived, so that they join the group.
      await new Promise((resolve) => setImmediate(resolve));
      await this.#writeGroup(this.#waiting.splice(0, MAX_GROUP));
    }
    this.#draining = undefined;
  }

  async #writeGroup(jobs: WaitingJob[]): Promise<void> {
    try {
      await this.#begin(jobs[0]?.since ?? performance.now());
    } catch (error) {
      for (const job of jobs) job.reject(error);
      return;
    }
    let endGroup = (): void => {};
    this.#groupEnd = new Promise((resolve) => (endGroup = resolve));
    const done: WaitingJob[] = [];
    let started = 0;
    try {
      for (const job of jobs) {
        started += 1;
        if (await this.#runInSavepoint(job)) done.push(job);
        // SQLite undoes the whole group by itself when, for one, the disk is full.
        if (!this.#connection.inTransaction) throw new StorageUnavailableError(GIVEN_UP);
      }
      this.#connection.exec("COMMIT");
      for (const job of done) job.resolve();
    } catch (error) {
      for (const job of done) job.reject(error);
      // Those that were not reached are not to blame: they are tried in the next group.
      this.#waiting.unshift(...jobs.slice(started));
      this.#rollBack();
    } finally {
      this.#groupEnd = undefined;
      endGroup();
    }
  }

  /**
   * Waits for another process's lock without blocking the event loop, as SQLite's own timeout would. What jobs have
   * waited behind an earlier group counts: it was the same lock.
   */
  async #begin(since: number): Promise<void> {
    const deadline = since + LOCK_TIMEOUT;
    for (;;) {
      try {
        this.#connection.exec("BEGIN IMMEDIATE");
        return;
      } catch (error) {
        if (!(error instanceof ConflictError) || performance.now() > deadline) throw error;
        // At random, or two processes in step would keep meeting each other.
        await sleep(1 + Math.random() * 9);
      }
    }
  }

  /** Whether the job succeeded; one that failed is undone and has been rejected. */
  async #runInSavepoint(job: WaitingJob): Promise<boolean> {
    const connection = new JobConnection(this.#connection);
    try {
      this.#connection.exec("SAVEPOINT job");
      await job.run(openKysely<Tables>(connection));
      connection.end();
      if (!this.#connection.inTransaction) throw new StorageUnavailableError(GIVEN_UP);
      this.#connection.exec("RELEASE job");
      return true;
    } catch (error) {
      connection.end();
      job.reject(error);
      // Without a transaction there is nothing left to undo; the caller deals with that.
      if (this.#connection.inTransaction) this.#connection.exec("ROLLBACK TO job; RELEASE job");
      return false;
    }
  }

  #rollBack(): void {
    try {
      if (this.#connection.inTransaction) this.#connection.exec("ROLLBACK");
    } catch {
      // The next group's BEGIN fails then, and its jobs are told.
    }
  }
}

/** Belongs to one job: a query that the job forgot to wait for must not end up in the next job's savepoint. */
class JobConnection implements DatabaseConnection {
  readonly #connection: SqliteConnection;
  #ended = false;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  end(): void {
    this.#ended = true;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#ended) throw new Error("The transaction of this query is over; wait for every query of a job.");
    // Outside a transaction SQLite would make the write durable at once.
    if (!this.#connection.inTransaction) throw new StorageUnavailableError(GIVEN_UP);
    return this.#connection.executeQuery<Row>(query);
  }

  streamQuery(): AsyncIterableIterator<never> {
    return this.#connection.streamQuery();
  }
}
