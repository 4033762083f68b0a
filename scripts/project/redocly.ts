import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

/** Runs a command of Redocly without its telemetry and its notices of updates. A failure does not throw: its code is not 0. */
export function runRedocly(args: readonly string[], cwd: string) {
  const cliFile = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [cliFile, ...args], {
    cwd,
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    encoding: "utf8",
    maxBuffer: 1_000_000_000,
  });
  // Only the error explains why a process could not start.
  return error ? { code: 1, stdout: "", stderr: error.message } : { code: status ?? 1, stdout, stderr };
}
