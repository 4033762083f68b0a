import { destination } from "pino";

/** Asynchronous destination of log lines. */
export interface LogOutput {
  write(line: string): void;
  /** Writes the remaining lines and resolves. Nothing may be written afterwards. */
  close(): Promise<void>;
}

/** Time that lines are buffered, because one write of many lines is much cheaper than a write per line. */
const WRITE_DELAY_MS = 50;
/** Time after which close() gives up, because nobody reads the lines. */
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
  // Timers do not run during the exit, and only a synchronous write completes.
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
        // A pipe that nobody reads would never close.
        setTimeout(resolve, CLOSE_TIMEOUT_MS).unref();
      });
    },
  };
}
