import { MAX_BATCH_BYTES, MAX_BATCH_PAGES } from "../../budgets.js";
import type { Store } from "../../storage/engine/store.js";
import type { JobKind, StorageScope } from "../../storage/tables.js";
import { findDueJobs, type Job, takeOverJob } from "../../storage/jobs.js";
import { findValuesAfter, updateStoredValues } from "../../storage/page-values.js";
import { deleteValues } from "../../storage/property-values.js";
import type { ContentSize } from "../../storage/content-size.js";
import { finishMirroring } from "./mirror-links.js";
import { abandonConversion } from "./large-conversion.js";
import { continueDeletion } from "./permanent-deletion.js";
import { type Batch, runBatches } from "./run-batches.js";
import { resumeMove } from "./tree-moves.js";
import { removeProperties } from "./value-conversion.js";
import { finishWorkspaceDeletion } from "./workspace-deletion.js";

/** Limit of the pages from which one transaction removes values. */
const BATCH_LIMIT: ContentSize = { count: MAX_BATCH_PAGES, bytes: MAX_BATCH_BYTES };

/** Maximum number of jobs that one call runs. */
const MAX_JOBS = 10;

/** The function that runs the jobs of each kind: runInterruptedJobs or runRemovals. */
const RUNNERS: Readonly<Record<JobKind, "interrupted" | "removals">> = {
  convert_values: "interrupted",
  move_to_trash: "interrupted",
  restore: "interrupted",
  mirror_links: "interrupted",
  remove_values: "removals",
  delete_permanently: "removals",
  empty_trash: "removals",
  delete_workspace: "removals",
};

function listKinds(runner: (typeof RUNNERS)[JobKind]): JobKind[] {
  // The cast: Object.keys returns strings.
  return (Object.keys(RUNNERS) as JobKind[]).filter((kind) => RUNNERS[kind] === runner);
}

/**
 * Finishes moves, conversions and relations whose process has ended. They do not wait for removals, of which a workspace can
 * request more than the service can run.
 *
 * @param isStopped returns true when no further batch should begin
 */
export async function runInterruptedJobs(store: Store, isStopped: () => boolean): Promise<void> {
  for (const due of await findDueJobs(store.read, listKinds("interrupted"), Date.now(), MAX_JOBS)) {
    if (isStopped()) return;
    const job = await store.write(due.workspaceId, async (scope) => {
      const takenJob = await takeOverJob(scope, due);
      if (takenJob?.kind !== "convert_values") return takenJob;
      // The request that needed the conversion has ended, so nobody could finish it.
      await abandonConversion(scope, takenJob);
      return undefined;
    });
    if (job?.kind === "mirror_links") await finishMirroring(store, job);
    else if (job !== undefined) await resumeMove(store, job);
  }
}

/**
 * Removes the values of removed properties, and the rows of deleted objects and workspaces.
 *
 * @param isStopped returns true when no further batch should begin
 */
export async function runRemovals(store: Store, isStopped: () => boolean): Promise<void> {
  for (const due of await findDueJobs(store.read, listKinds("removals"), Date.now(), MAX_JOBS)) {
    if (isStopped()) return;
    const job = await store.write(due.workspaceId, (scope) => takeOverJob(scope, due));
    if (job?.kind === "delete_workspace") await finishWorkspaceDeletion(store, job, isStopped);
    else if (job?.kind === "remove_values") await removeValues(store, job, isStopped);
    else if (job !== undefined) await continueDeletion(store, job, isStopped);
  }
}

/** Removes values that no property of the schema names any more. */
async function removeValues(store: Store, job: Job, isStopped: () => boolean): Promise<void> {
  const { objectId, propertyIds } = job;
  const removeBatch = async (scope: StorageScope, lastPageId: string): Promise<Batch<string>> => {
    const pages = await findValuesAfter(scope, objectId, lastPageId, BATCH_LIMIT);
    const changed = pages.flatMap(({ id, properties }) => {
      const remaining = removeProperties(properties, propertyIds);
      return remaining === undefined ? [] : { id, json: JSON.stringify(remaining) };
    });
    await updateStoredValues(scope, changed);
    const ids = pages.map(({ id }) => id);
    await deleteValues(scope, ids, propertyIds);
    return { count: pages.length, next: ids.at(-1) ?? null };
  };
  await runBatches(store, job, "", removeBatch, isStopped);
}
