import { MAX_CHANGED_WORKSPACES_PER_READ } from "../budgets.js";
import { DAY_MS, MINUTE_MS } from "../units.js";
import { setTimeout as sleep } from "node:timers/promises";
import { STORAGE_LIMIT_BYTES } from "../domain/plans.js";
import {
  beginCount,
  finishCount,
  findChangedWorkspaces,
  type StoredBytes,
} from "../storage/access/stored-bytes.js";
import { readRowBytes } from "../storage/row-sizes.js";
import type { Store } from "../storage/engine/store.js";
import type { Db, StorageScope } from "../storage/tables.js";
import type { TaskControl } from "./jobs/run-due-jobs.js";

/** Interval between searches for workspaces to count, and minimum interval between two counts of a workspace. */
export const COUNT_INTERVAL_MS = MINUTE_MS;
/** Age after which a count is repeated if anything was written since. */
const MAX_AGE_MS = DAY_MS;
/** Pause after each statement. Counting is not urgent and should not delay requests. */
const PAUSE_MS = 5;
/** Workspace id under which counts wait in the queue of scans, so that the scans of a workspace do not delay its count. */
const COUNTING_QUEUE_KEY = "";

/** Whether a count is due: a day after the last one, or earlier if the written bytes exceed half of the remaining space. */
export function isCountDue(
  { plan, countedBytes, writtenBytes, countedTime }: StoredBytes,
  now: number,
): boolean {
  const age = now - countedTime;
  if (writtenBytes === 0 || age < COUNT_INTERVAL_MS) return false;
  return age >= MAX_AGE_MS || writtenBytes >= (STORAGE_LIMIT_BYTES[plan] - countedBytes) / 2;
}

/** Counts the bytes of the workspaces whose count is due, until `isStopped`. Calls `onError` for a failed count. */
export async function countDueWorkspaces(
  store: Store,
  { isStopped, onError }: TaskControl,
  now = Date.now(),
): Promise<void> {
  const db = store.openScan(COUNTING_QUEUE_KEY);
  const count = async (workspace: StoredBytes): Promise<void> => {
    const hasBegun = await store.writeWithoutInvalidation((tx) => beginCount(tx, workspace, now));
    // Another process has begun this count.
    if (!hasBegun) return;
    const bytes = await sumRowBytes({ db, workspaceId: workspace.workspaceId }, isStopped);
    if (bytes === undefined) return;
    await store.writeWithoutInvalidation((tx) => finishCount(tx, workspace, bytes));
  };
  for await (const workspace of readChangedWorkspaces(db)) {
    if (isStopped()) return;
    // The other workspaces do not wait for one whose count fails.
    if (isCountDue(workspace, now)) await count(workspace).catch(onError);
  }
}

/** Reads all workspaces that were written to since their last count, few at a time. */
async function* readChangedWorkspaces(db: Db): AsyncGenerator<StoredBytes> {
  let after = { time: -1, id: "" };
  for (;;) {
    const workspaces = await findChangedWorkspaces(db, after, MAX_CHANGED_WORKSPACES_PER_READ);
    yield* workspaces;
    const last = workspaces.at(-1);
    if (last === undefined) return;
    after = { time: last.countedTime, id: last.workspaceId };
  }
}

/** Returns the bytes of all rows of a workspace; undefined if `isStopped` returned true before all were read. */
async function sumRowBytes(scope: StorageScope, isStopped: () => boolean): Promise<number | undefined> {
  let bytes = 0;
  for await (const rowBytes of readRowBytes(scope)) {
    if (isStopped()) return undefined;
    bytes += rowBytes;
    await sleep(PAUSE_MS);
  }
  return bytes;
}
