import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
// libsql publishes this module as CommonJS with `any` for results.
import AsyncDatabase from "libsql/promise";
import { MAX_LOG_BYTES, SCAN_TIMEOUT_MS } from "../../budgets.js";

/** Delay of a checkpoint after the first commit that it copies. */
const CHECKPOINT_DELAY_MS = 200;

/** Interval between attempts to empty the log, while another process reads or writes. */
const ATTEMPT_INTERVAL_MS = 50;
/** Pause after all attempts to empty the log have failed, for example because an export reads from it. */
const PAUSE_AFTER_FAILURE_MS = 60_000;

/** Copies the write-ahead log of a SQLite file into the database after commits, in a thread, instead of in a long COMMIT. */
export class CheckpointScheduler {
  readonly #file: string;
  #database: AsyncDatabase | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Settles when the last checkpoint has ended; never rejects. */
  #running: Promise<void> = Promise.resolve();
  /** Time of the next attempt to empty the log, on the clock of performance.now(). */
  #nextAttempt = 0;
  /** Whether a checkpoint has just copied what it could of a long log. */
  #isLongLogCopied = false;
  #closed = false;

  /** @param file an absolute path */
  constructor(file: string) {
    this.#file = file;
  }

  /** Schedules a checkpoint, unless one waits already. */
  schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#running = this.#running.then(async () => {
        // The next commit is not in this checkpoint, and schedules another one.
        this.#timer = undefined;
        await this.#checkpoint("PASSIVE");
        this.#isLongLogCopied = this.#isLogLong();
      });
    }, CHECKPOINT_DELAY_MS).unref();
  }

  /** Whether the next COMMIT may run a checkpoint: not with a long log. Call it between transactions: it empties a copied log. */
  async mayCommitCheckpoint(): Promise<boolean> {
    if (this.#isLongLogCopied) {
      this.#running = this.#running.then(() => this.#checkpoint("TRUNCATE"));
      await this.#running;
    }
    return !this.#isLogLong();
  }

  /**
   * Empties a log of more than MAX_LOG_BYTES. Call it before each scan: SQLite restarts the log only while nothing reads from it,
   * so with one scan after another it would grow without limit. Gives up when another process reads for longer than a scan.
   */
  async shortenLog(): Promise<void> {
    const start = performance.now();
    if (start < this.#nextAttempt) return;
    while (!this.#closed && this.#isLogLong()) {
      this.#running = this.#running.then(() => this.#emptyLog());
      await this.#running;
      if (!this.#isLogLong()) return;
      if (performance.now() - start > SCAN_TIMEOUT_MS) {
        this.#nextAttempt = performance.now() + PAUSE_AFTER_FAILURE_MS;
        return;
      }
      await sleep(ATTEMPT_INTERVAL_MS);
    }
  }

  /** Waits for checkpoints that have begun, and prevents others. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#running;
    this.#database?.close();
  }

  #isLogLong(): boolean {
    return (statSync(`${this.#file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES;
  }

  async #emptyLog(): Promise<void> {
    // The first checkpoint copies most of the log, so that the second one needs the lock of the writers for a short time only.
    await this.#checkpoint("PASSIVE");
    await this.#checkpoint("TRUNCATE");
  }

  /** Neither mode waits. While others read or write, PASSIVE copies a part of the log, and TRUNCATE does not empty it. */
  async #checkpoint(mode: "PASSIVE" | "TRUNCATE"): Promise<void> {
    this.#isLongLogCopied = false;
    try {
      this.#database ??= new AsyncDatabase(this.#file, {});
      // Not prepared, because the event loop would wait for the next checkpoint if the statement was garbage collected during it.
      await this.#database.exec(`PRAGMA wal_checkpoint(${mode})`);
    } catch {
      // Ignored: the log is unchanged, and the next commit reports the reason, such as a full disk.
    }
  }
}
