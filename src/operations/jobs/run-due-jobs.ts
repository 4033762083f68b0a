import { setTimeout as sleep } from "node:timers/promises";
import {
  MAX_BATCH_BYTES,
  MAX_BATCH_PAGES,
  MAX_CONCURRENT_REMOVALS,
  MAX_INTERRUPTED_JOBS_PER_RUN,
  REMOVAL_WAIT_MS,
} from "../../budgets.js";
import { FairQueue } from "../../fair-queue.js";
import type { Store } from "../../storage/engine/store.js";
import type { StorageScope } from "../../storage/tables.js";
import { findDueJobs, type Job, takeOverJob } from "../../storage/jobs.js";
import { findPageValuesAfter, updatePageValues } from "../../storage/page-values.js";
import { deletePropertyValues } from "../../storage/property-values.js";
import type { ContentSize } from "../../storage/content-size.js";
import { finishMirroring } from "./mirror-links.js";
import { abandonConversion } from "../conversion/large-conversion.js";
import { continueDeletion } from "./permanent-deletion.js";
import { type BackgroundOptions, type BatchResult, runBatches } from "./run-batches.js";
import { resumeMove } from "./tree-moves.js";
import { finishWorkspaceDeletion } from "./workspace-deletion.js";

const BATCH_LIMIT: ContentSize = { count: MAX_BATCH_PAGES, bytes: MAX_BATCH_BYTES };

/** Interval between searches for further removals while some run, and pause after a removal that has failed. */
const SEARCH_INTERVAL_MS = 1000;

/**
 * Takes over the jobs of ended processes, except removals: finishes moves and mirrored links, and undoes conversions. Removals
 * run separately, so that these jobs do not wait for them.
 */
export async function runInterruptedJobs(store: Store, isStopped: () => boolean): Promise<void> {
  for (const due of await findDueJobs(store.read, { removals: false }, MAX_INTERRUPTED_JOBS_PER_RUN)) {
    if (isStopped()) return;
    const job = await store.write(due.workspaceId, async (scope) => {
      const takenJob = await takeOverJob(scope, due);
      if (takenJob?.kind !== "convert_values") return takenJob;
      // The request that needed the conversion has ended with its process.
      await abandonConversion(scope, takenJob);
      return undefined;
    });
    if (job?.kind === "mirror_links") await finishMirroring(store, job);
    else if (job !== undefined) await resumeMove(store, job);
  }
}

/**
 * Runs removals until none are due: jobs that delete the values of removed properties, and permanently deleted objects and
 * workspaces. Runs one job of a workspace at a time. Several workspaces take turns after each batch, so that a workspace with
 * many or long removals does not delay the others.
 *
 * @param onError called with the error of a job, which is due again when its lease has ended
 */
export async function runRemovals(
  store: Store,
  isStopped: () => boolean,
  onError: (error: unknown) => void,
): Promise<void> {
  const turns = new FairQueue({
    slots: 1,
    slotsPerTenant: 1,
    maxWaitingPerTenant: 1,
    maxWaitMs: REMOVAL_WAIT_MS,
  });
  const background: BackgroundOptions = { isStopped, awaitTurn: (workspaceId) => turns.acquire(workspaceId) };
  const running = new Map<string, Promise<void>>();
  const start = async (due: Job): Promise<void> => {
    try {
      await runRemoval(store, due, background);
    } catch (error) {
      onError(error);
      // A pause before the next attempt, because the cause of the error may last.
      await sleep(SEARCH_INTERVAL_MS);
    } finally {
      running.delete(due.workspaceId);
    }
  };
  for (;;) {
    const count = isStopped() ? 0 : MAX_CONCURRENT_REMOVALS - running.size;
    for (const due of await findDueJobs(store.read, { removals: true }, count, [...running.keys()])) {
      running.set(due.workspaceId, start(due));
    }
    if (running.size === 0) return;
    await Promise.race([...running.values(), sleep(SEARCH_INTERVAL_MS, undefined, { ref: false })]);
  }
}

async function runRemoval(store: Store, due: Job, background: BackgroundOptions): Promise<void> {
  const job = await store.write(due.workspaceId, (scope) => takeOverJob(scope, due));
  if (job?.kind === "delete_workspace") await finishWorkspaceDeletion(store, job, background);
  else if (job?.kind === "remove_values") await removeValues(store, job, background);
  else if (job !== undefined) await continueDeletion(store, job, background);
}

/** Removes the values of properties that are no longer in the schema. */
async function removeValues(store: Store, job: Job, background: BackgroundOptions): Promise<void> {
  const { objectId, propertyIds } = job;
  const removeBatch = async (scope: StorageScope, lastPageId: string): Promise<BatchResult<string>> => {
    const pages = await findPageValuesAfter(scope, objectId, lastPageId, BATCH_LIMIT);
    const changed = pages.flatMap(({ id, properties }) => {
      const entries = Object.entries(properties);
      const remaining = entries.filter(([propertyId]) => !propertyIds.includes(propertyId));
      if (remaining.length === entries.length) return [];
      return { id, json: JSON.stringify(Object.fromEntries(remaining)) };
    });
    await updatePageValues(scope, changed);
    const ids = pages.map(({ id }) => id);
    await deletePropertyValues(scope, ids, propertyIds);
    return { count: pages.length, next: ids.at(-1) ?? null };
  };
  await runBatches(store, job, "", removeBatch, background);
}
