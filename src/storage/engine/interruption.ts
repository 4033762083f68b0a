import { BusyError } from "../../errors.js";

/** Time between two interruptions of the same scan. */
const INTERRUPTION_INTERVAL_MS = 50;

/**
 * Runs a scan, and interrupts it at its time limit or when a signal is aborted. `interrupt` never throws, and is called
 * again until the scan ends, because databases ignore an interruption that arrives before the statement. Throws a BusyError
 * at the time limit, the reason of an aborted signal, or the error of the scan.
 */
export async function runInterruptibly<Result>(
  scan: () => Promise<Result>,
  interrupt: () => void,
  timeoutMs: number,
  signals: readonly AbortSignal[],
): Promise<Result> {
  let reason: unknown;
  let repeat: NodeJS.Timeout | undefined;
  const interruptFor = (error: unknown): void => {
    reason ??= error;
    interrupt();
    repeat ??= setInterval(interrupt, INTERRUPTION_INTERVAL_MS);
  };
  // Safe cast: the listener is added only to signals.
  const onAbort = ({ target }: Event): void => interruptFor((target as AbortSignal).reason);
  const timer = setTimeout(() => {
    const message =
      `The query read too many rows and took longer than ${timeoutMs / 1000} s. Use fewer conditions and sorts, ` +
      "or add a condition that an index serves, such as `equals`.";
    interruptFor(new BusyError(message));
  }, timeoutMs);
  for (const signal of signals) signal.addEventListener("abort", onAbort);
  try {
    for (const signal of signals) signal.throwIfAborted();
    return await scan();
  } catch (error) {
    throw reason ?? error;
  } finally {
    clearTimeout(timer);
    clearInterval(repeat);
    for (const signal of signals) signal.removeEventListener("abort", onAbort);
  }
}
