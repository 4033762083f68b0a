import { execFile } from "node:child_process";
import { createRequire } from "node:module";

const MAX_OUTPUT_BYTES = 1_000_000_000;

interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command of Redocly without its telemetry and its notices of updates. A failure does not reject: its code is not 0. */
export function runRedocly(args: readonly string[], cwd: string): Promise<CommandResult> {
  const cliFile = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const options = { cwd, env, maxBuffer: MAX_OUTPUT_BYTES };
  return new Promise((resolve) => {
    execFile(process.execPath, [cliFile, ...args], options, (error, stdout, stderr) => {
      if (!error) resolve({ code: 0, stdout, stderr });
      else if (typeof error.code === "number") resolve({ code: error.code, stdout, stderr });
      // Only the error explains why a process could not start or was killed.
      else resolve({ code: 1, stdout, stderr: stderr + error.message });
    });
  });
}
