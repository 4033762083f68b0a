import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { readConfig } from "../config.js";
import { exportDatabase } from "../storage/transfer/export.js";
import { createProgress } from "./progress.js";
import { stopSignal } from "./stop-signal.js";
import { packageVersion } from "./version.js";
import { writeFileAtomically } from "./write-file.js";

/** Runs `page-service export`. */
export async function exportData(options: { workspace?: string; output?: string }): Promise<void> {
  const { show, end } = createProgress("exported");
  let rows = 0;
  const lines = exportDatabase(readConfig(process.env).database, {
    workspace: options.workspace,
    program: packageVersion(),
    onProgress: (count) => {
      rows = count;
      show(count);
    },
  });
  const signal = stopSignal();
  try {
    if (options.output === undefined) {
      await pipeline(Readable.from(lines), process.stdout, { signal, end: false });
    } else {
      await writeFileAtomically(options.output, lines, signal);
    }
  } finally {
    end();
  }
  // Standard output may be the export itself.
  if (options.output !== undefined) {
    console.log(`Exported ${rows.toLocaleString("en")} rows to ${options.output}.`);
  }
}
