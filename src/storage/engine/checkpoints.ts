// libsql publishes this module as CommonJS with `any` for results.
import AsyncDatabase from "libsql/promise";

/** Delay of a checkpoint after the first commit that it copies. */
const CHECKPOINT_DELAY_MS = 200;

/**
 * Copies the write-ahead log of a SQLite file into the database after commits, outside of the event loop. Without it, the
 * COMMIT that makes the log too long would copy all of it and block the event loop.
 */
export class CheckpointScheduler {
  readonly #file: string;
  #database: AsyncDatabase | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #closed = false;

  /** @param file an absolute path */
  constructor(file: string) {
    this.#file = file;
  }

  /** Schedules a checkpoint, unless one is scheduled. */
  schedule(): void {
    this.#timer ??= setTimeout(() => void this.#start(), CHECKPOINT_DELAY_MS).unref();
  }

  /** Waits for the running checkpoint, and prevents others. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#running;
    this.#database?.close();
  }

  async #start(): Promise<void> {
    await this.#running;
    this.#timer = undefined;
    if (!this.#closed) this.#running = this.#run();
  }

  async #run(): Promise<void> {
    try {
      this.#database ??= new AsyncDatabase(this.#file, {});
      // Passive: neither waits for readers and writers nor makes them wait.
      await (await this.#database.prepare("PRAGMA wal_checkpoint(PASSIVE)")).all([]);
    } catch {
      // Ignored: the log is unchanged, and the next commit reports the reason, such as a full disk.
    }
  }
}
