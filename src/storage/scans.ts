import path from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { ConflictError, StorageUnavailableError } from "./errors.js";

/** Bounds how long the last of them waits, and the memory for them. */
const MAX_WAITING = 200;

/** A SELECT for the thread, with a number that the answer has as well. */
export interface ScanTask {
  readonly number: number;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export interface ScanAnswer {
  readonly number: number;
  readonly rows?: readonly unknown[];
  readonly error?: { readonly name: string; readonly message: string };
}

interface Waiting {
  resolve(rows: readonly unknown[]): void;
  reject(error: Error): void;
}

/** Whether there is a thread for scans: only compiled code runs in one without starting a transpiler first. */
export const hasThread = path.extname(fileURLToPath(import.meta.url)) === ".js";

/**
 * A connection for SELECTs that may look at very many rows. SQLite answers while its caller waits, so these are executed in
 * a thread of their own, which starts with the first of them: what else is asked of the service is answered meanwhile.
 */
export class ScanConnection implements DatabaseConnection {
  readonly #file: string;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #count = 0;
  #closed = false;

  /** @param file An absolute path. */
  constructor(file: string) {
    this.#file = file;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#closed) throw new StorageUnavailableError("The database is closed.");
    if (this.#waiting.size >= MAX_WAITING) {
      throw new StorageUnavailableError("Too many queries that look at many rows wait already.");
    }
    this.#worker ??= this.#start();
    const number = ++this.#count;
    const rows = await new Promise<readonly unknown[]>((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#worker?.postMessage({ number, sql, parameters } satisfies ScanTask);
    });
    // The cast: the row type is Kysely's, which derived it from the query.
    return { rows: rows as Row[] };
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error("Streaming would keep a read open while others write; page through the rows instead.");
  }

  /** Refuses what waits still, and ends the thread. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL("scan-thread.js", import.meta.url), { workerData: this.#file });
    // The service ends when it is told to, whatever is being looked for.
    worker.unref();
    worker.on("message", ({ number, rows, error }: ScanAnswer) => {
      const waiting = this.#waiting.get(number);
      this.#waiting.delete(number);
      if (error === undefined) waiting?.resolve(rows ?? []);
      else waiting?.reject(revive(error));
    });
    let reason = "The thread that looks at many rows ended.";
    worker.on("error", ({ message }: Error) => (reason = message));
    worker.once("exit", () => {
      // The next query starts another one.
      this.#worker = undefined;
      for (const { reject } of this.#waiting.values()) reject(new StorageUnavailableError(reason));
      this.#waiting.clear();
    });
    return worker;
  }
}

/** An error of the thread, of the class that it had there. */
function revive({ name, message }: { name: string; message: string }): Error {
  switch (name) {
    case "StorageUnavailableError":
      return new StorageUnavailableError(message);
    case "ConflictError":
      return new ConflictError(message);
    default:
      return new Error(message);
  }
}
