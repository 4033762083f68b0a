import { createReadStream } from "node:fs";
import { addAbortSignal } from "node:stream";
import { readConfig } from "../config.js";
import { importDatabase } from "../storage/transfer/import.js";
import { createProgress } from "./progress.js";
import { createStopSignal } from "./stop-signal.js";
import { UsageError } from "./usage-error.js";

/** `page-service import`: reads an export into an empty database, or adds one workspace to a database. */
export async function importData(options: { input?: string }): Promise<void> {
  if (options.input === undefined && process.stdin.isTTY) {
    throw new UsageError("import reads standard input. Redirect an export to it, or add --input FILE.");
  }
  const progress = createProgress("imported");
  const input = options.input === undefined ? process.stdin : createReadStream(options.input);
  addAbortSignal(createStopSignal(), input);
  const { database } = readConfig(process.env);
  const { workspaces, rows } = await importDatabase(database, input, progress.show).finally(progress.end);
  const workspacesText = workspaces === 1 ? "1 workspace" : `${workspaces} workspaces`;
  console.log(`Imported ${workspacesText}, ${rows.toLocaleString("en")} rows.`);
}
