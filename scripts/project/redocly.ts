import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

interface CommandResult {
  /** Exit code; 1 for a process that could not start or was killed. */
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command of Redocly without its telemetry and its notices of updates. A failure does not throw: its code is not 0. */
export function runRedocly(args: readonly string[], cwd: string): CommandResult {
  const cliFile = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");
  const { status, signal, stdout, stderr, error } = spawnSync(process.execPath, [cliFile, ...args], {
    cwd,
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    encoding: "utf8",
    maxBuffer: 1_000_000_000,
  });
  if (status !== null && !error) return { code: status, stdout, stderr };
  const reason = error?.message ?? `Redocly was killed by the signal ${signal}.`;
  // A process that could not start has null in place of its output, unlike its declared type.
  return { code: 1, stdout: String(stdout ?? ""), stderr: String(stderr ?? "") + reason };
}
