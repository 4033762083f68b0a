import { createReadStream } from "node:fs";
import { Readable, addAbortSignal } from "node:stream";
import { pipeline } from "node:stream/promises";
import { requireWorkspace } from "../access/workspaces/workspaces.js";
import { UserError } from "../errors.js";
import { readConfig } from "../config.js";
import { exportDatabase } from "../storage/transfer/export.js";
import { importDatabase } from "../storage/transfer/import.js";
import { readPackageVersion } from "./version.js";
import { requireDatabaseLocation } from "./with-store.js";
import { writeFileAtomically } from "./write-file.js";

/** `page-service export`: writes the data of the service, or of one workspace, to a file or to standard output. */
export async function exportData(options: { workspace?: string; output?: string }): Promise<void> {
  const { workspace } = options;
  const progress = createProgress("exported");
  let rows = 0;
  const lines = exportDatabase(requireDatabaseLocation(), {
    findWorkspace: workspace === undefined ? undefined : (db) => requireWorkspace(db, workspace),
    programVersion: readPackageVersion(),
    onProgress: (count) => {
      rows = count;
      progress.show(count);
    },
  });
  const { signal } = createStopSignal();
  try {
    if (options.output === undefined) {
      // Standard output cannot be closed, so the pipeline must not end it.
      await pipeline(Readable.from(lines), process.stdout, { signal, end: false }).catch((error: unknown) => {
        throw signal.aborted ? new UserError("Stopped before the end. The export is incomplete.") : error;
      });
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

/** `page-service import`: reads an export into an empty database, or adds one workspace to a database. */
export async function importData(options: { input?: string }): Promise<void> {
  if (options.input === undefined && process.stdin.isTTY) {
    throw new UserError("import reads standard input. Redirect an export to it, or add --input FILE.");
  }
  const progress = createProgress("imported");
  const input = options.input === undefined ? process.stdin : createReadStream(options.input);
  const { signal, restoreDefault } = createStopSignal();
  addAbortSignal(signal, input);
  // A signal while the texts are indexed ends the process, and the service or the next import deletes the rows.
  input.once("end", restoreDefault);
  const { database } = readConfig(process.env);
  const { workspaces, rows } = await importDatabase(database, input, progress.show).finally(progress.end);
  const workspacesText = workspaces === 1 ? "1 workspace" : `${workspaces} workspaces`;
  console.log(`Imported ${workspacesText}, ${rows.toLocaleString("en")} rows.`);
}

/** Creates a signal that the first SIGTERM or SIGINT aborts. The second, or the first after `restoreDefault`, ends the process. */
function createStopSignal() {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const signals = ["SIGTERM", "SIGINT"] as const;
  for (const signal of signals) process.once(signal, abort);
  const restoreDefault = (): void => signals.forEach((signal) => process.off(signal, abort));
  return { signal: controller.signal, restoreDefault };
}

const UPDATE_INTERVAL_MS = 200;

/** Creates a progress line on standard error such as "1,200 rows exported", if it is a terminal. */
function createProgress(action: string) {
  const { stderr } = process;
  if (!stderr.isTTY) return { show() {}, end() {} };
  let lastUpdate = 0;
  return {
    show(rows: number): void {
      const now = performance.now();
      if (now - lastUpdate < UPDATE_INTERVAL_MS) return;
      lastUpdate = now;
      stderr.write(`\r\u001b[K${rows.toLocaleString("en")} rows ${action}`);
    },
    end(): void {
      if (lastUpdate !== 0) stderr.write("\r\u001b[K");
    },
  };
}
