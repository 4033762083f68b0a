import { setTimeout as sleep } from "node:timers/promises";
import { STORAGE_LIMIT_BYTES } from "../../domain/limits.js";
import {
  beginCount,
  finishCount,
  listChangedWorkspaces,
  readRowBytes,
  type StoredBytes,
} from "../../storage/accounts/stored-bytes.js";
import type { Store } from "../../storage/engine/store.js";

/** Interval between searches for workspaces to count, and the shortest interval between two counts of one. */
export const COUNT_INTERVAL_MS = 60_000;
/** Age of a count after which any write makes it due. */
const MAX_AGE_MS = 24 * 60 * 60_000;
/** Pause after each statement, which is not urgent and should not delay requests. */
const PAUSE_MS = 5;

/**
 * Whether to count a workspace again: once a day, and when half of what its limit leaves could have been written. A
 * write that replaces data is counted as growth until then.
 */
export function isCountDue(
  { plan, countedBytes, writtenBytes, countedTime }: StoredBytes,
  now: number,
): boolean {
  const age = now - countedTime;
  if (writtenBytes === 0 || age < COUNT_INTERVAL_MS) return false;
  return age >= MAX_AGE_MS || writtenBytes >= (STORAGE_LIMIT_BYTES[plan] - countedBytes) / 2;
}

/**
 * Counts the stored bytes of the workspaces for which that is due, one after another.
 *
 * @param isStopped returns true when no further statement should begin
 */
export async function countDueWorkspaces(
  store: Store,
  isStopped: () => boolean,
  now = Date.now(),
): Promise<void> {
  // A tenant of its own among the scans, so that a workspace cannot keep its count waiting.
  const db = store.scanFor("");
  for (const usage of await listChangedWorkspaces(db)) {
    if (!isCountDue(usage, now)) continue;
    if (!(await store.write((tx) => beginCount(tx, usage, now), null))) continue;
    let bytes = 0;
    for await (const piece of readRowBytes(db, usage.workspaceId)) {
      if (isStopped()) return;
      bytes += piece;
      await sleep(PAUSE_MS);
    }
    await store.write((tx) => finishCount(tx, usage, bytes), null);
  }
}
