import { parentPort, workerData } from "node:worker_threads";
import { CompiledQuery } from "kysely";
import { READ_CACHE_KIB, SqliteConnection } from "./sqlite.js";
import type { ScanAnswer, ScanTask } from "./scans.js";

/* Runs in a thread of its own, see scans.ts: executes the SELECTs that it is sent, one after another. */

// The cast: scans.ts starts the thread with the path of the file.
const connection = new SqliteConnection(workerData as string);
connection.pragma("query_only = ON");
connection.pragma(`cache_size = -${READ_CACHE_KIB}`);

async function execute({ number, sql, parameters }: ScanTask): Promise<ScanAnswer> {
  try {
    const { rows } = await connection.executeQuery(CompiledQuery.raw(sql, [...parameters]));
    return { number, rows };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { number, error: { name, message } };
  }
}

parentPort?.on("message", async (task: ScanTask) => parentPort?.postMessage(await execute(task)));
