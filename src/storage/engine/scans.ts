import type { CompiledQuery, QueryResult } from "kysely";
import { BusyError } from "../../errors.js";
import type { FairQueue } from "../../queues/fair-queue.js";
import { UNLIMITED_SLOT, type Slot } from "../../queues/queue-slot.js";
import type { Connection } from "./dialect.js";
import { assertSupportedParameters } from "./parameters.js";

/* Scans: SELECTs that can read many rows, with their own connections, a time limit, and a queue in which workspaces alternate. */

/** The parts of a read's scope that its scans need. */
export interface ScanOptions {
  /** Cancels the scan. */
  readonly signal?: AbortSignal | undefined;
  /** Slot among the reads, which the request gives back during the scan. */
  readonly slot?: Slot;
}

type Scan = <Row>(query: CompiledQuery, signal: AbortSignal | undefined) => Promise<QueryResult<Row>>;

/** Creates the connection for the scans of one request. */
export function createScanConnection(
  queue: FairQueue,
  workspaceId: string,
  { signal, slot = UNLIMITED_SLOT }: ScanOptions,
  scan: Scan,
): Connection {
  return {
    async executeQuery<Row>(query: CompiledQuery) {
      assertSupportedParameters(query.parameters);
      const scanInTurn = () => queue.run(workspaceId, () => scan<Row>(query, signal), signal);
      return slot.releaseDuring(scanInTurn, signal);
    },
  };
}

/** Time between two interruptions of the same scan. */
const INTERRUPTION_INTERVAL_MS = 50;

/**
 * Runs a scan, and interrupts it at its time limit or when a signal is aborted. `interrupt` is called until the scan ends,
 * because databases ignore one that comes too early. Throws a BusyError, the reason of the signal, or the error of the scan.
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
