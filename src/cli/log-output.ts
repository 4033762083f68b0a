import { destination, stdSerializers } from "pino";
import { OperationalError } from "../errors.js";

/** Bytes of buffered lines that are written at once. Fewer wait for WRITE_DELAY_MS, because a write for each line takes 50 µs. */
const BUFFER_BYTES = 4096;
const WRITE_DELAY_MS = 50;
/** Time after which close() gives up, because nobody reads the lines. */
const CLOSE_TIMEOUT_MS = 1000;

/** Creates a destination of log lines that writes to standard error asynchronously, in batches. Pino writes the rest on exit. */
export function createLogOutput() {
  const stream = destination({ fd: 2, sync: false, minLength: BUFFER_BYTES });
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    stream.flush();
  };
  return {
    write(line: string): void {
      stream.write(line);
      timer ??= setTimeout(flush, WRITE_DELAY_MS).unref();
    },
    /** Writes the remaining lines and resolves. Nothing may be written afterwards. */
    close(): Promise<void> {
      clearTimeout(timer);
      return new Promise((resolve) => {
        stream.once("close", resolve);
        stream.end();
        // A pipe that nobody reads would never close.
        setTimeout(resolve, CLOSE_TIMEOUT_MS).unref();
      });
    },
  };
}

/** Serializes an error for the log. Operational errors get no stack, because each write causes one while a disk is full. */
export function serializeError(error: Error): unknown {
  if (error instanceof OperationalError) return { type: error.name, message: error.message };
  return stdSerializers.err(error);
}
