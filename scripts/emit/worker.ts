// Runs some emitters in a thread of their own; `threads.ts` starts it. It loads them while the document is being read.
import { parentPort, workerData } from "node:worker_threads";
import { EMITTERS, emitSome, type EmitterName } from "./emitters.js";
import type { Answer, Task } from "./threads.js";

// The casts: `threads.ts` is the only one that starts this and sends it anything.
const names = workerData as EmitterName[];
parentPort?.on("message", ({ run, api }: Task) => {
  void emitSome(names, api).then((emissions) => parentPort?.postMessage({ run, emissions } satisfies Answer));
});
for (const name of names) await EMITTERS[name]();
