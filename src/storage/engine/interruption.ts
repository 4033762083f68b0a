import { createScanTimeoutError } from "./errors.js";

/** Limits of a scan. */
export interface ScanLimits {
  readonly timeoutMs: number;
  /** Aborted when the client of the scan disconnects. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs a scan, and interrupts it at its time limit or when its client disconnects.
 *
 * @param interrupt makes the running scan fail; never throws
 * @throws BusyError at the time limit, the reason of the signal when it is aborted, otherwise the error of the scan
 */
export async function runInterruptibly<Result>(
  scan: () => Promise<Result>,
  interrupt: () => void,
  { timeoutMs, signal }: ScanLimits,
): Promise<Result> {
  let reason: unknown;
  const interruptFor = (error: unknown): void => {
    reason = error;
    interrupt();
  };
  const onAbort = (): void => interruptFor(signal?.reason);
  const timer = setTimeout(() => interruptFor(createScanTimeoutError(timeoutMs)), timeoutMs);
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    signal?.throwIfAborted();
    return await scan();
  } catch (error) {
    throw reason ?? error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}
