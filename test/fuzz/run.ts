import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fuzz, type LaneAccess, type Outcome } from "./fuzz.js";

const LANES = 4;

/**
 * Runs the fuzzer against a service in another process.
 *
 * @param database URL of a PostgreSQL database; by default a temporary SQLite file
 */
export async function fuzzProcess(
  seed: number,
  count: number,
  progress?: (requests: number) => void,
  database?: string,
): Promise<Outcome> {
  const folder = mkdtempSync(path.join(tmpdir(), "page-service-fuzz-"));
  const file = path.join(import.meta.dirname, "server.ts");
  const child = fork(file, [database ?? path.join(folder, "fuzz.db"), String(LANES)], {
    execArgv: ["--import", "tsx"],
  });
  try {
    const ended = new Promise<never>((_, reject) => {
      child.once("exit", (code, signal) => {
        reject(new Error(`The service exited with ${code ?? signal}, SEED=${seed}.`));
      });
    });
    const ready = new Promise<{ port: number; access: LaneAccess[] }>((resolve) => {
      // The cast: server.ts sends only this message.
      child.once("message", (message) => resolve(message as { port: number; access: LaneAccess[] }));
    });
    const { port, access } = await Promise.race([ready, ended]);
    const baseUrl = `http://127.0.0.1:${port}`;
    const outcome = await Promise.race([fuzz(baseUrl, access, seed, count, progress), ended]);
    const alive = await fetch(`${baseUrl}/readyz`);
    if (alive.status !== 200) throw new Error(`The service is no longer ready: ${alive.status}.`);
    return outcome;
  } finally {
    child.removeAllListeners("exit");
    const gone = new Promise((resolve) => child.once("exit", resolve));
    if (child.exitCode === null) child.kill("SIGKILL");
    else child.emit("exit");
    await gone;
    rmSync(folder, { recursive: true, force: true });
  }
}
