import { Console } from "node:console";
import { PassThrough, type Writable } from "node:stream";
import { vi } from "vitest";
import { main } from "../../src/cli/main.js";

/** Exit code and output of a command. */
export interface Output {
  code: number;
  stdout: string;
  stderr: string;
}

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/**
 * Runs `page-service` in this process until it ends, because a new process spends most of its time on loading modules. One
 * command at a time. Its standard output can be a stream that fails, and its standard error a terminal.
 */
export async function runInProcess(
  args: string[],
  env: Record<string, string> = {},
  stdout: Writable = new PassThrough(),
  stderr = new PassThrough(),
): Promise<Output> {
  const chunks = { stdout: "", stderr: "" };
  if (stdout instanceof PassThrough)
    stdout.setEncoding("utf8").on("data", (text: string) => (chunks.stdout += text));
  stderr.setEncoding("utf8").on("data", (text: string) => (chunks.stderr += text));
  const listeners = SIGNALS.map((signal) => process.listeners(signal));
  const before = process.env;
  const spies = [
    // The casts: the commands use what these streams have in common with those of the process.
    vi.spyOn(process, "stdout", "get").mockReturnValue(stdout as never),
    vi.spyOn(process, "stderr", "get").mockReturnValue(stderr as never),
  ];
  vi.stubGlobal("console", new Console(stdout, stderr));
  process.env = { PATH: before.PATH, ...env };
  try {
    const code = await main(args);
    // Reads what is buffered.
    for (const stream of [stdout, stderr])
      if (!stream.errored) await new Promise((resolve) => stream.end(resolve));
    return { code, ...chunks };
  } finally {
    process.env = before;
    vi.unstubAllGlobals();
    for (const spy of spies) spy.mockRestore();
    SIGNALS.forEach((signal, index) => {
      for (const each of process.listeners(signal))
        if (!listeners[index]?.includes(each)) process.removeListener(signal, each);
    });
  }
}
