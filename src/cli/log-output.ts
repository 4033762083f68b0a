import { destination } from "pino";

/** Where log lines go: standard output. */
export interface LogOutput {
  write(line: string): void;
  /** Writes what is left; resolves when it is written. Nothing may be written afterwards. */
  close(): Promise<void>;
}

/**
 * Writes the log to standard output without waiting for it. The lines of one turn of the event loop are handed over
 * together: for each piece pino's stream does work that grows with what is waiting already.
 */
export function logOutput(): LogOutput {
  const stream = destination({ fd: 1, sync: false });
  let waiting = "";
  const handOver = (): void => {
    if (waiting === "") return;
    stream.write(waiting);
    waiting = "";
  };
  // When the process ends in the middle of a turn there is no later.
  process.once("exit", () => {
    if (waiting === "") return;
    handOver();
    stream.flushSync();
  });
  return {
    write(line) {
      if (waiting === "") setImmediate(handOver);
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
