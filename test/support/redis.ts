import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";

import { onTestFinished } from "vitest";
import { findFreePort } from "./ports.js";
import { missingProgram } from "./requirements.js";

/** A Redis server that belongs to one test. */
export interface TestRedis {
  readonly url: string;
  /** Runs redis-cli and returns its output. */
  runCli(...args: string[]): string;
  /** Kills the server. */
  kill(): Promise<void>;
  /** Starts an empty server on the same port. */
  start(): Promise<void>;
  /** Suspends the process without closing connections, and resumes it. */
  pause(): void;
  resume(): void;
}

const INSTALLED = ["redis-server", "redis-cli"].every((name) => spawnSync(name, ["--version"]).status === 0);

/** Reason why tests with Redis are skipped; undefined if redis-server is installed, and in CI, where they must run. */
export const NO_REDIS = missingProgram(
  INSTALLED,
  "redis-server is not installed (apt-get install redis-server)",
);

/** Starts redis-server on a free port; it stops after the test. */
export async function startRedis(): Promise<TestRedis> {
  const port = await findFreePort();
  let server: ChildProcess | undefined;
  const runCli = (...args: string[]): string =>
    spawnSync("redis-cli", ["-p", String(port), ...args], { encoding: "utf8" }).stdout.trim();
  const start = async (): Promise<void> => {
    server = spawn("redis-server", ["--port", String(port), "--save", "", "--appendonly", "no"], {
      stdio: "ignore",
    });
    const failed = Promise.race([
      once(server, "error").then(([error]: unknown[]) => {
        throw new Error("redis-server cannot be started: apt-get install redis-server", { cause: error });
      }),
      once(server, "exit").then(([code]: unknown[]) => {
        throw new Error(`redis-server exited with ${String(code)}`);
      }),
    ]);
    failed.catch(() => {});
    while (runCli("ping") !== "PONG")
      await Promise.race([failed, new Promise((resolve) => setTimeout(resolve, 20))]);
  };
  const kill = async (): Promise<void> => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill("SIGKILL");
    await ended;
  };
  await start();
  onTestFinished(kill);
  return {
    url: `redis://127.0.0.1:${port}`,
    runCli,
    kill,
    start,
    pause: () => void server?.kill("SIGSTOP"),
    resume: () => void server?.kill("SIGCONT"),
  };
}
