// libsql publishes this module as CommonJS with `any` for results.
import AsyncDatabase from "libsql/promise";

/** Delay of a checkpoint after the first commit that it copies. */
const CHECKPOINT_DELAY_MS = 200;

/**
 * Copies the write-ahead log of a SQLite file into the database after commits, outside of the event loop. Without it, the
 * COMMIT that makes the log too long would copy all of it, and the writes behind it would wait.
 */
export class CheckpointScheduler {
  readonly #file: string;
  #database: AsyncDatabase | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Settles when the last checkpoint has ended; never rejects. */
  #running: Promise<void> = Promise.resolve();

  /** @param file an absolute path */
  constructor(file: string) {
    this.#file = file;
  }

  /** Schedules a checkpoint, unless one waits already. */
  schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#running = this.#running.then(() => this.#run());
    }, CHECKPOINT_DELAY_MS).unref();
  }

  /** Waits for checkpoints that have begun, and prevents others. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#running;
    this.#database?.close();
  }

  async #run(): Promise<void> {
    // The next commit is not in this checkpoint, and schedules another one.
    this.#timer = undefined;
    try {
      this.#database ??= new AsyncDatabase(this.#file, {});
      // PASSIVE does not wait for readers and writers. Not prepared, because the event loop would wait for the next checkpoint
      // if the statement was garbage collected during it.
      await this.#database.exec("PRAGMA wal_checkpoint(PASSIVE)");
    } catch {
      // Ignored: the log is unchanged, and the next commit reports the reason, such as a full disk.
    }
  }
}
