import { type ChildProcessByStdio, spawn } from "node:child_process";
import path from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { isPostgresUrl } from "../../src/storage/engine/location.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CLI = path.join(ROOT, "dist/src/cli.js");

/** Creates the environment in which the command uses a database. */
export function createEnvironment(location: string): Record<string, string> {
  return isPostgresUrl(location) ? { DATABASE_URL: location } : { DATA_DIR: path.dirname(location) };
}

/** A running command. */
export interface RunningCommand {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  /** Returns the output so far. */
  output(): { stdout: string; stderr: string };
  /** Waits until the text is in the output or the log, or the pattern matches the output. */
  printed(text: string | RegExp): Promise<string>;
  readonly ended: Promise<Ended>;
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** Starts `page-service` with only the given configuration; it is killed after the test. */
export function start(args: string[], env: Record<string, string> = {}): RunningCommand {
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: ROOT,
    env: { PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  // The log is on standard error.
  const has = (text: string | RegExp): boolean =>
    typeof text === "string" ? `${stdout}${stderr}`.includes(text) : text.test(stdout);
  return {
    process: child,
    output: () => ({ stdout, stderr }),
    printed: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (has(text)) resolve(stdout);
        };
        look();
        child.stdout.on("data", look);
        child.stderr.on("data", look);
        child.once("close", () => reject(new Error(`ended without ${String(text)}:\n${stdout}\n${stderr}`)));
      }),
    ended,
  };
}

/** Runs `page-service` until it exits. */
export function run(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  return start(args, env).ended;
}

/** Starts `page-service serve` on a free port; resolves when it listens. */
export async function serve(
  env: Record<string, string>,
  args: string[] = [],
): Promise<RunningCommand & { url: string; welcome: string }> {
  const running = start(["serve", ...args], { PORT: "0", ...env });
  const welcome = await running.printed(/running at \S+\n[^]*\n\n$|Create a page:\n\n.*\n/);
  const url = /running at (\S+)\n/.exec(welcome)?.[1];
  if (url === undefined) throw new Error(`The output contains no address:\n${welcome}`);
  return { ...running, url: url.replace("localhost", "127.0.0.1"), welcome };
}
