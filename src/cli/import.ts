import { createReadStream } from "node:fs";
import { addAbortSignal } from "node:stream";
import { parseArgs } from "node:util";
import { readConfig } from "../config.js";
import { importDatabase } from "../storage/transfer/import.js";
import { progress } from "./progress.js";
import { stopSignal } from "./stop-signal.js";
import { UsageError } from "./usage.js";

/** `page-service import`: what `page-service export` wrote, from standard input or a file. */
export async function importCommand(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { input: { type: "string" } } });
  if (values.input === undefined && process.stdin.isTTY) {
    throw new UsageError("import reads standard input, or the file of --input FILE.");
  }
  const { show, end } = progress("imported");
  const file = values.input === undefined ? process.stdin : createReadStream(values.input);
  addAbortSignal(stopSignal(), file);
  try {
    const { workspaces, rows } = await importDatabase(readConfig(process.env).database, file, show);
    end();
    const what = workspaces === 1 ? "1 workspace" : `${workspaces} workspaces`;
    console.log(`Imported ${what}, ${rows.toLocaleString("en")} rows.`);
  } finally {
    end();
  }
  return 0;
}
