import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { exportDatabase } from "../storage/transfer/export.js";
import { createProgress } from "./progress.js";
import { createStopSignal } from "./stop-signal.js";
import { readPackageVersion } from "./version.js";
import { findDatabase } from "./with-store.js";
import { writeFileAtomically } from "./write-file.js";

/** `page-service export`: writes the data of the service, or of one workspace, to a file or to standard output. */
export async function exportData(options: { workspace?: string; output?: string }): Promise<void> {
  const progress = createProgress("exported");
  let rows = 0;
  const lines = exportDatabase(findDatabase(), {
    workspace: options.workspace,
    program: readPackageVersion(),
    onProgress: (count) => {
      rows = count;
      progress.show(count);
    },
  });
  const signal = createStopSignal();
  try {
    if (options.output === undefined) {
      // Standard output cannot be closed, so the pipeline must not end it.
      await pipeline(Readable.from(lines), process.stdout, { signal, end: false });
    } else {
      await writeFileAtomically(options.output, lines, signal);
    }
  } finally {
    progress.end();
  }
  // Without --output, standard output contains the export and nothing else.
  if (options.output !== undefined) {
    console.log(`Exported ${rows.toLocaleString("en")} rows to ${options.output}.`);
  }
}
