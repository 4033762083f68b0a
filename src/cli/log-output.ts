import { destination } from "pino";

/** Destination of log lines: standard error. */
export interface LogOutput {
  write(line: string): void;
  /** Writes the remaining lines and resolves. Nothing may be written afterwards. */
  close(): Promise<void>;
}

/** Milliseconds that a line is held back: one write for many lines costs much less than one for each. */
const WRITE_DELAY_MS = 50;
/** Milliseconds after which lines that nobody reads are given up. */
const CLOSE_TIMEOUT_MS = 1000;

/** Creates a destination that writes to standard error asynchronously, in batches. */
export function createLogOutput(): LogOutput {
  const stream = destination({ fd: 2, sync: false });
  let buffered = "";
  const writeBuffered = (): void => {
    if (buffered === "") return;
    stream.write(buffered);
    buffered = "";
  };
  process.once("exit", () => {
    if (buffered === "") return;
    writeBuffered();
    stream.flushSync();
  });
  return {
    write(line) {
      if (buffered === "") setTimeout(writeBuffered, WRITE_DELAY_MS).unref();
      buffered += line;
    },
    close() {
      writeBuffered();
      return new Promise((resolve) => {
        stream.once("close", resolve);
        stream.end();
        // Nobody may be reading.
        setTimeout(resolve, CLOSE_TIMEOUT_MS).unref();
      });
    },
  };
}
