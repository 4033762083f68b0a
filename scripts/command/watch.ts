import path from "node:path";
import { hashGeneratorAndOptions, planGeneration, type Session } from "../generation.js";
import { FileWatcher } from "./file-watcher.js";
import type { CommandOptions } from "./options.js";
import { formatDocumentName, printError, printPlanDiagnostics, reportWritten } from "./report.js";

/** Generates once, and again after each save, until the user stops the command. Prints errors and continues. */
export async function watch(options: CommandOptions): Promise<void> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const generatorHash = await hashGeneratorAndOptions(options);
  const watcher = new FileWatcher();
  const session: Session = { onFile: (file) => watcher.add(file) };
  const adapters = options.adapters === undefined ? undefined : path.resolve(options.adapters);
  watcher.add(options.spec);
  if (adapters !== undefined) watcher.add(adapters);
  console.log(`Watching ${formatDocumentName(options)} and the files that it refers to; stop with Ctrl-C.`);
  do {
    const startMs = performance.now();
    try {
      const plan = await planGeneration(options, generatorHash, session);
      // Write nothing if the user stopped the command in the meantime.
      if (stop.signal.aborted) break;
      printPlanDiagnostics(plan);
      // Our own edits of the adapters must not start another generation.
      if (plan.adapters.edits.length > 0 && adapters !== undefined)
        await watcher.ignoreChanges(adapters, plan.apply);
      else await plan.apply();
      reportWritten(plan, options, startMs);
    } catch (error) {
      printError(error);
      console.error("Generation failed. Waiting for the next save.");
    }
    const changed = await watcher.waitForChange(stop.signal);
    if (changed.length > 0)
      console.log(`\nChanged: ${changed.map((file) => path.relative(process.cwd(), file)).join(", ")}`);
  } while (!stop.signal.aborted);
}
