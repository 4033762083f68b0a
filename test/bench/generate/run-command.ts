import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Resources of a command: elapsed seconds, processor seconds, and peak memory in MB. */
export interface Usage {
  wall: number;
  cpu: number;
  memory: number;
}

/** Creates the environment in which every process appends its resource usage to a file when it exits. */
function createMeasuringEnvironment(file: string): NodeJS.ProcessEnv {
  const hook = fileURLToPath(new URL("usage.cjs", import.meta.url));
  return { ...process.env, BENCH_USAGE: file, NODE_OPTIONS: `--require ${JSON.stringify(hook)}` };
}

/**
 * Runs a Node program until it exits, and measures it with its threads and child processes.
 * @param folder its working directory; its standard output is discarded
 * @throws Error when it fails
 */
export async function runCommand(args: readonly string[], folder: string): Promise<Usage> {
  const scratch = mkdtempSync(path.join(folder, "usage-"));
  const file = path.join(scratch, "usage");
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: createMeasuringEnvironment(file),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    errors = (errors + chunk).slice(-2000);
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const wall = (performance.now() - started) / 1000;
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  rmSync(scratch, { recursive: true });
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${errors}`);
  // The cast: usage.cjs wrote these lines.
  const used = lines.map((line) => JSON.parse(line) as Omit<Usage, "wall">);
  return {
    wall,
    cpu: used.reduce((sum, { cpu }) => sum + cpu, 0),
    memory: used.reduce((sum, { memory }) => sum + memory, 0),
  };
}
