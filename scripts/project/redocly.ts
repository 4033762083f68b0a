import { execFile } from "node:child_process";
import { createRequire } from "node:module";

/** Exit code and output of a command. */
interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command of Redocly, without its telemetry and its notices of updates. */
export function runRedocly(args: readonly string[], cwd: string): Promise<Outcome> {
  const command = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const options = { cwd, env, maxBuffer: 1_000_000_000 };
  return new Promise((resolve) => {
    execFile(process.execPath, [command, ...args], options, (error, stdout, stderr) => {
      if (!error) resolve({ code: 0, stdout, stderr });
      else if (typeof error.code === "number") resolve({ code: error.code, stdout, stderr });
      // Only the error explains why a process could not start or was killed.
      else resolve({ code: 1, stdout, stderr: stderr + error.message });
    });
  });
}
