import path from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { DiagnosticError } from "../diagnostic.js";
import type { Api, Emission } from "../model/model.js";
import { emitSome, join, type EmitterName, type Emissions } from "./emitters.js";

/**
 * Half of the work is the types, in a thread that loads the compiler for them. The rest is done in this thread: another
 * one would take as long to get a copy of the document.
 */
const APART: readonly EmitterName[] = ["types"];
const HERE: readonly EmitterName[] = ["specJson", "routes", "client", "validators"];

/** Emits; `close` must be called when there is nothing more to emit. */
export interface Emitting {
  emit(api: Api): Promise<Emission>;
  close(): Promise<void>;
}

/**
 * Starts a thread that emits beside this one. It begins to load what it needs at once, so it is started before the
 * document is read.
 *
 * Only compiled code runs in it: under a transpiler the thread would have to start that one first, which
 * takes longer than what it saves.
 */
export function startEmitting(): Emitting {
  if (path.extname(fileURLToPath(import.meta.url)) !== ".js") {
    return { emit: async (api) => (await import("./emit.js")).emit(api), close: async () => {} };
  }
  const thread = new EmitterThread(APART);
  return {
    emit: async (api) => {
      // A copy is made of what is sent: no more of it than types are made from.
      const apart = thread.emit({ ...api, document: {}, groups: [], webhooks: [] });
      // If what is done here fails first, that is reported; this must not be taken for unhandled.
      apart.catch(() => {});
      const here = await emitSome(HERE, api);
      return join(new Map([...here, ...(await apart)]));
    },
    close: () => thread.close(),
  };
}

/** What a thread is sent: an API, and a number that the answer has as well. */
export interface Task {
  run: number;
  api: Api;
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

  emit(api: Api): Promise<Emissions> {
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
    this.#worker.postMessage({ run, api } satisfies Task);
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
