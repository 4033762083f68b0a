import { destination } from "pino";

/** Where log lines go: standard output. */
export interface LogOutput {
  write(line: string): void;
  /** Writes what is left; resolves when it is written. Nothing may be written afterwards. */
  close(): Promise<void>;
}

/** Milliseconds that a line may wait for others: each write costs more than all the rest of a line. */
const DELAY = 50;

/** Writes the log to standard output without waiting for it, the lines of a moment together. */
export function logOutput(): LogOutput {
  const stream = destination({ fd: 1, sync: false });
  let waiting = "";
  const handOver = (): void => {
    if (waiting === "") return;
    stream.write(waiting);
    waiting = "";
  };
  // When the process ends there is no later.
  process.once("exit", () => {
    if (waiting === "") return;
    handOver();
    stream.flushSync();
  });
  return {
    write(line) {
      if (waiting === "") setTimeout(handOver, DELAY).unref();
      waiting += line;
    },
    close() {
      handOver();
      return new Promise((resolve) => {
        stream.once("close", resolve);
        stream.end();
      });
    },
  };
}
