import path from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { type AdapterReport, planAdapters } from "../adapters/adapters.js";
import { type Diagnostic, DiagnosticError } from "../diagnostic.js";
import { emitSome, join, type EmitterName, type Emissions } from "../emit/emitters.js";
import type { Api, Emission } from "../model/model.js";

/**
 * Half of the work is the types, in a thread that loads the compiler for them; adapters are parsed by it too. The rest
 * is done in this thread: another one would take as long to get a copy of the document.
 */
const APART: readonly EmitterName[] = ["types"];
const HERE: readonly EmitterName[] = ["specJson", "routes", "client", "validators"];

/** Works beside this thread; `close` must be called when there is nothing more to do. */
export interface Threads {
  emit(api: Api): Promise<Emission>;
  /** Does what `planAdapters` does. */
  planAdapters(...adapters: Adapters): Promise<AdapterReport>;
  close(): Promise<void>;
}

type Adapters = Parameters<typeof planAdapters>;

/**
 * Starts a thread that works beside this one. It begins to load what it needs at once, so it is started before the
 * document is read.
 *
 * Only compiled code runs in it: under a transpiler the thread would have to start that one first, which
 * takes longer than what it saves.
 */
export function startThreads(): Threads {
  if (path.extname(fileURLToPath(import.meta.url)) !== ".js") {
    return {
      emit: async (api) => (await import("../emit/emit.js")).emit(api),
      planAdapters,
      close: async () => {},
    };
  }
  const thread = new CompilerThread();
  return {
    emit: async (api) => {
      // A copy is made of what is sent: no more of it than types are made from.
      const apart = thread.emit({ ...api, document: {}, groups: [], webhooks: [] });
      // If what is done here fails first, that is reported; this must not be taken for unhandled.
      apart.catch(() => {});
      const here = await emitSome(HERE, api);
      return join(new Map([...here, ...(await apart)]));
    },
    planAdapters: (...adapters) => thread.planAdapters(adapters),
    close: () => thread.close(),
  };
}

/** What a thread is sent: what to do, and a number that the answer has as well. */
export type Task = { run: number } & ({ api: Api } | { adapters: Adapters });

export type Answer = { run: number } & (
  | { emissions: Emissions }
  | { report: AdapterReport }
  /** What cannot be done, and why. */
  | { problems: Diagnostic[] }
);

class CompilerThread {
  #run = 0;
  readonly #worker = new Worker(new URL("worker.js", import.meta.url), { workerData: APART });
  /** Rejects when the thread has ended, for whatever reason. */
  readonly #ended: Promise<never>;

  constructor() {
    this.#ended = new Promise((_, reject) => {
      this.#worker.once("error", (error: Error) => reject(explain(error)));
      this.#worker.once("exit", (code) => reject(new Error(`A thread of the generator ended with ${code}.`)));
    });
    this.#ended.catch(() => {});
  }

  async emit(api: Api): Promise<Emissions> {
    const answer = await this.#ask((run) => ({ run, api }));
    if ("emissions" in answer) return answer.emissions;
    throw new Error("A thread of the generator answered another question.");
  }

  async planAdapters(adapters: Adapters): Promise<AdapterReport> {
    const answer = await this.#ask((run) => ({ run, adapters }));
    if ("report" in answer) return answer.report;
    throw new DiagnosticError("problems" in answer ? answer.problems : []);
  }

  #ask(taskOf: (run: number) => Task): Promise<Answer> {
    const run = ++this.#run;
    const answer = new Promise<Answer>((resolve) => {
      const take = (message: Answer): void => {
        // The answer to another question, maybe one that nobody waits for any more, because lint found an error.
        if (message.run !== run) return;
        this.#worker.off("message", take);
        resolve(message);
      };
      this.#worker.on("message", take);
    });
    this.#worker.postMessage(taskOf(run));
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
