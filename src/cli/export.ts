import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { readConfig } from "../config.js";
import { exportDatabase } from "../storage/transfer/export.js";
import { progress } from "./progress.js";
import { stopSignal } from "./stop-signal.js";
import { packageVersion } from "./version.js";
import { writeWholeFile } from "./whole-file.js";

/** `page-service export`: the database as lines of JSON, on standard output or in a file that is whole or not there. */
export async function exportCommand(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { workspace: { type: "string" }, output: { type: "string" } },
  });
  const { show, end } = progress("exported");
  const parts = exportDatabase(readConfig(process.env).database, {
    workspace: values.workspace,
    program: packageVersion(),
    onProgress: show,
  });
  const signal = stopSignal();
  try {
    if (values.output !== undefined) await writeWholeFile(values.output, parts, signal);
    else await pipeline(Readable.from(parts), process.stdout, { signal, end: false });
  } finally {
    end();
  }
  return 0;
}
