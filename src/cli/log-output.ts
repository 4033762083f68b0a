import { destination } from "pino";

/** Destination of log lines: standard error. */
export interface LogOutput {
  write(line: string): void;
  /** Writes the remaining lines and resolves. Nothing may be written afterwards. */
  close(): Promise<void>;
}

/** Time that lines are buffered, because one write of many lines is much cheaper than many writes. */
const WRITE_DELAY_MS = 50;
/** Time after which unread lines are discarded. */
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
        // There may be no reader.
        setTimeout(resolve, CLOSE_TIMEOUT_MS).unref();
      });
    },
  };
}
