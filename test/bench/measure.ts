import { execFileSync, spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { readResidentMegabytes, ROOT } from "./child.js";
import { load, median } from "./compare.js";
import { encodeRequest } from "./raw-client.js";
import { startService } from "./service/start.js";
import type { Row } from "./table.js";

/** Creates a database in a folder, and a key of an enterprise workspace, whose rate limit refuses no request. */
export function createKey(folder: string): string {
  const args = ["keys", "create", "--workspace", "Bench", "--plan", "enterprise", "--json"];
  const env = { ...process.env, DATA_DIR: folder };
  const text = execFileSync(process.execPath, ["dist/src/cli.js", ...args], {
    cwd: ROOT,
    env,
    encoding: "utf8",
  });
  // The cast: the documented output of the command.
  return (JSON.parse(text) as { key: string }).key;
}

/** Measures the time from the start of the process until it is ready. */
export async function measureStart(folder: string): Promise<Row> {
  console.log("Start of the service to its first response");
  const seconds: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    const started = performance.now();
    const service = await startService(folder);
    seconds.push((performance.now() - started) / 1000);
    await service.stop();
  }
  return createLimitRow("Process start to the first 200 of /readyz", median(seconds), "s", 1);
}

/**
 * Measures the memory 3 seconds after the start, and 30 seconds after a load, because V8 releases memory only when it has
 * been idle. `meanwhile` runs during these 30 seconds, in which the service is idle.
 */
export async function measureMemory(folder: string, key: string, meanwhile: () => Row[]): Promise<Row[]> {
  console.log("Memory of the service at rest");
  const service = await startService(folder);
  await sleep(3000);
  const before = readResidentMegabytes(service.pid);
  const bytes = encodeRequest("GET", "/v1/users/me", key);
  await load({ name: "service", url: service.url, pid: service.pid, request: () => bytes }, 5);
  const peak = readResidentMegabytes(service.pid);
  console.log(`  right after the load ${Math.round(peak)} MB`);
  const idle = sleep(30_000);
  const rows = meanwhile();
  await idle;
  const after = readResidentMegabytes(service.pid);
  await service.stop();
  return [
    ...rows,
    createLimitRow("Memory at rest, 3 s after the start", before, "MB", 120),
    createLimitRow("Memory at rest, 30 s after 5 s of load", after, "MB", 120),
  ];
}

/** Measures `generate -- --check` without changes, including npm. */
export function measureCheck(): Row {
  console.log("generate --check without changes");
  const seconds: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    const started = performance.now();
    const { status, stdout } = spawnSync("npm", ["run", "--silent", "generate", "--", "--check"], {
      cwd: ROOT,
      encoding: "utf8",
    });
    seconds.push((performance.now() - started) / 1000);
    if (status !== 0) throw new Error(`The generated files are out of date:\n${stdout}`);
  }
  return createLimitRow("npm run generate -- --check, no changes", median(seconds), "s", 1);
}

function createLimitRow(what: string, value: number, unit: "s" | "MB", most: number): Row {
  return {
    what,
    figure: `${value.toFixed(unit === "s" ? 2 : 0)} ${unit}`,
    beside: "",
    ratio: "",
    target: `under ${most} ${unit}`,
    met: value < most,
  };
}
