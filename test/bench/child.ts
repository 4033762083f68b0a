import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Root folder of the repository. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const [START_VARIABLES = "", START_COMMAND = ""] = readStartScript().split("exec node ");
/** Arguments that `npm start` passes to `node`. */
export const START_ARGUMENTS: readonly string[] = START_COMMAND.split(" ");
/** Variables that `npm start` sets. */
export const START_ENVIRONMENT: Readonly<Record<string, string>> = Object.fromEntries(
  [...START_VARIABLES.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
);

function readStartScript(): string {
  // The cast: package.json has scripts.
  const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as {
    scripts: { start: string };
  };
  return scripts.start;
}

/** A server in its own process. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Ends the process and waits until it is gone. */
  stop(): Promise<void>;
}

/** Running processes, which end with the bench. */
const running = new Set<ChildProcess>();
process.once("exit", killChildren);

/** Kills the servers that a failed measurement left running. */
export function killChildren(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** Starts `node` with `args`; its standard output goes to `output`, a file descriptor. */
export function startNode(
  args: readonly string[],
  env: Record<string, string>,
  output: number | "ignore" = "ignore",
): ChildProcess {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: "production", ...START_ENVIRONMENT, ...env },
    stdio: ["ignore", output, "inherit", "ipc"],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Waits until `url` responds with status 200. */
export async function waitUntilOk(
  child: ChildProcess,
  url: string,
  headers: Record<string, string>,
): Promise<void> {
  const deadline = performance.now() + 15_000;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The server at ${url} ended with code ${child.exitCode}.`);
    const isOk = await fetch(url, { headers }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status === 200;
      },
      () => false,
    );
    if (isOk) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  throw new Error(`${url} did not respond with status 200 within 15 seconds.`);
}

/** Starts a server of test/bench/servers, which sends its port to this process. */
export async function startServer(name: string, args: string[] = []): Promise<ServerProcess> {
  const file = fileURLToPath(new URL(`servers/${name}.ts`, import.meta.url));
  const child = startNode(["--import", "tsx", file, ...args], {});
  const port = await new Promise<unknown>((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (code) => reject(new Error(`The server ${name} ended with code ${code}.`)));
  });
  return toServerProcess(child, `http://127.0.0.1:${String(port)}`);
}

/** Wraps a process that serves at `url`. */
export function toServerProcess(child: ChildProcess, url: string): ServerProcess {
  const { pid } = child;
  if (pid === undefined) throw new Error(`The server at ${url} could not be started.`);
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    url,
    pid,
    stop: async () => {
      if (child.exitCode === null) child.kill("SIGTERM");
      await gone;
    },
  };
}

/** Reads the resident memory of a process, in MB (of 1,000,000 bytes). */
export function readResidentMegabytes(pid: number): number {
  const status = `/proc/${pid}/status`;
  const kilobytes = existsSync(status)
    ? /VmRSS:\s+(\d+)/.exec(readFileSync(status, "utf8"))?.[1]
    : execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return (Number(kilobytes) * 1024) / 1e6;
}

/**
 * Reads the processor time of the main thread of a process, in microseconds; undefined on systems other than Linux, which
 * do not report it.
 */
export function readMainThreadMicros(pid: number): number | undefined {
  const file = `/proc/${pid}/task/${pid}/schedstat`;
  return existsSync(file) ? Number(readFileSync(file, "utf8").split(" ")[0]) / 1000 : undefined;
}
