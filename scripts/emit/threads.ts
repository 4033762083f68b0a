import path from "node:path";
import { fileURLToPath } from "node:url";
import { serialize } from "node:v8";
import { Worker } from "node:worker_threads";
import { DiagnosticError } from "../diagnostic.js";
import type { Api, Emission } from "../model/model.js";
import { emitSome, join, type EmitterName, type Emissions } from "./emitters.js";

/** The work in parts that take about the same time; each loads a compiler. The rest is done in this thread. */
const PARTS: readonly EmitterName[][] = [["types"], ["routes", "client", "validators"]];
const HERE: readonly EmitterName[] = ["specJson"];

/** Emits; `close` must be called when there is nothing more to emit. */
export interface Emitting {
  emit(api: Api): Promise<Emission>;
  close(): Promise<void>;
}

/**
 * Starts threads that emit beside this one. They begin to load what they need at once, so they are started before
 * the document is read.
 *
 * Only compiled code runs in threads: under a transpiler each of them would have to start that one first, which
 * takes longer than what it saves.
 */
export function startEmitting(): Emitting {
  if (path.extname(fileURLToPath(import.meta.url)) !== ".js") {
    return { emit: async (api) => (await import("./emit.js")).emit(api), close: async () => {} };
  }
  const threads = PARTS.map((names) => new EmitterThread(names));
  return {
    emit: async (api) => {
      // Once for all; each thread takes a copy of the bytes, which is much less work than to write them again.
      const bytes = serialize(api);
      const parts = threads.map((thread) => thread.emit(bytes));
      // Whichever fails first is reported; the others must not be taken for unhandled.
      for (const part of parts) part.catch(() => {});
      const emissions = [await emitSome(HERE, api), ...(await Promise.all(parts))];
      return join(new Map(emissions.flatMap((part) => [...part])));
    },
    close: async () => {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

/** What a thread is sent: an API as `serialize` writes it, and a number that the answer has as well. */
export interface Task {
  run: number;
  bytes: Uint8Array;
}

export interface Answer {
  run: number;
  emissions: Emissions;
}

class EmitterThread {
  #run = 0;
  readonly #worker: Worker;
  /** Rejects when the thread has ended, for whatever reason. */
  readonly #ended: Promise<never>;

  constructor(names: readonly EmitterName[]) {
    this.#worker = new Worker(new URL("worker.js", import.meta.url), { workerData: names });
    this.#ended = new Promise((_, reject) => {
      this.#worker.once("error", (error: Error) => reject(explain(error)));
      this.#worker.once("exit", (code) => reject(new Error(`A thread of the generator ended with ${code}.`)));
    });
    this.#ended.catch(() => {});
  }

  emit(bytes: Uint8Array): Promise<Emissions> {
    const run = ++this.#run;
    const answer = new Promise<Emissions>((resolve) => {
      const take = (message: Answer): void => {
        // The answer to an earlier run that nobody waited for, because lint found an error.
        if (message.run !== run) return;
        this.#worker.off("message", take);
        resolve(message.emissions);
      };
      this.#worker.on("message", take);
    });
    this.#worker.postMessage({ run, bytes } satisfies Task);
    return Promise.race([answer, this.#ended]);
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** An error of a thread as the user should see it: running out of memory says nothing of what to do about it. */
function explain(error: Error): Error {
  if (!("code" in error) || error.code !== "ERR_WORKER_OUT_OF_MEMORY") return error;
  const message =
    "There is not enough memory for this document. Split the API, or give Node more with NODE_OPTIONS=--max-old-space-size=4096.";
  return new DiagnosticError([{ severity: "error", message }]);
}
