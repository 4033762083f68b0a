// Does what needs the compiler in a thread of its own; `threads.ts` starts it. It loads it while the document is read.
import { parentPort, workerData } from "node:worker_threads";
import { planAdapters } from "../adapters/adapters.js";
import { DiagnosticError } from "../diagnostic.js";
import { EMITTERS, emitSome, type EmitterName } from "../emit/emitters.js";
import type { Answer, Task } from "./threads.js";

// The casts: `threads.ts` is the only one that starts this and sends it anything.
const names = workerData as EmitterName[];
parentPort?.on("message", (task: Task) => {
  void answerTo(task).then((answer) => parentPort?.postMessage(answer));
});
for (const name of names) await EMITTERS[name]();

async function answerTo(task: Task): Promise<Answer> {
  const { run } = task;
  if ("api" in task) return { run, emissions: await emitSome(names, task.api) };
  try {
    return { run, report: await planAdapters(...task.adapters) };
  } catch (error) {
    if (error instanceof DiagnosticError) return { run, problems: error.diagnostics };
    // Of the file system: what cannot be read is the user's to put right.
    if (error instanceof Error && "code" in error)
      return { run, problems: [{ severity: "error", message: error.message }] };
    throw error;
  }
}
