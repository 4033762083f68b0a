import { createReadStream } from "node:fs";
import { addAbortSignal } from "node:stream";
import { readConfig } from "../config.js";
import { importDatabase } from "../storage/transfer/import.js";
import { createProgress } from "./progress.js";
import { createStopSignal } from "./stop-signal.js";
import { UsageError } from "./usage-error.js";

/** Runs `page-service import`. */
export async function importData(options: { input?: string }): Promise<void> {
  if (options.input === undefined && process.stdin.isTTY) {
    throw new UsageError("import reads standard input. Redirect an export to it, or add --input FILE.");
  }
  const { show, end } = createProgress("imported");
  const file = options.input === undefined ? process.stdin : createReadStream(options.input);
  addAbortSignal(createStopSignal(), file);
  const { database } = readConfig(process.env);
  const { workspaces, rows } = await importDatabase(database, file, show).finally(end);
  const what = workspaces === 1 ? "1 workspace" : `${workspaces} workspaces`;
  console.log(`Imported ${what}, ${rows.toLocaleString("en")} rows.`);
}
