import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../../storage/engine/store.js";
import { recordJobProgress, deleteJob, findDueJobs, type Job, takeOverJob } from "../../storage/jobs.js";
import { findValuesAfter, updateStoredValues } from "../../storage/pages.js";
import { deleteValues } from "../../storage/property-values.js";
import { finishMirroring } from "./mirror-links.js";
import { abandonConversion } from "./large-conversion.js";
import { continueDeletion } from "./permanent-deletion.js";
import { readBatch } from "./read-batch.js";
import { resumeMove } from "./tree-moves.js";
import { removeProperties } from "./value-conversion.js";
import { finishWorkspaceDeletion } from "./workspace-deletion.js";

/** Pause after each batch of a removal, which is not urgent and should not delay requests. */
const PAUSE_MS = 20;

/** Maximum number of jobs that one call runs. */
const MAX_JOBS = 10;

/**
 * Runs the jobs that no process runs, because they have no owner or their process has ended.
 *
 * @param isStopped returns true when no further batch should begin
 */
export async function runDueJobs(store: Store, isStopped: () => boolean): Promise<void> {
  for (const due of await findDueJobs(store.read, Date.now(), MAX_JOBS)) {
    if (isStopped()) return;
    const job = await store.write(async (tx) => {
      const takenJob = await takeOverJob(tx, due);
      if (takenJob?.kind !== "convert_values") return takenJob;
      // The request that needed the conversion has ended, so nobody could finish it.
      await abandonConversion(tx, takenJob);
      return undefined;
    }, due.workspaceId);
    if (job?.kind === "delete_workspace") await finishWorkspaceDeletion(store, job, isStopped);
    else if (job?.kind === "delete_permanently" || job?.kind === "empty_trash")
      await continueDeletion(store, job, isStopped);
    else if (job?.kind === "mirror_links") await finishMirroring(store, job);
    else if (job?.kind === "remove_values") await removeValues(store, job, isStopped);
    else if (job !== undefined) await resumeMove(store, job);
  }
}

/** Removes values that no property of the schema names any more. */
async function removeValues(store: Store, job: Job, isStopped: () => boolean): Promise<void> {
  const { workspaceId, objectId, propertyIds } = job;
  // The id of the last page, at first empty; undefined at the end.
  let lastPageId: string | undefined = "";
  while (lastPageId !== undefined && !isStopped()) {
    const previousPageId: string = lastPageId;
    lastPageId = await store.write(async (tx) => {
      const pages = await readBatch((batch, limit) =>
        findValuesAfter(tx, workspaceId, objectId, batch.at(-1)?.id ?? previousPageId, limit),
      );
      if (!(await recordJobProgress(tx, job, pages.length))) return undefined;
      const changed = pages.flatMap(({ id, properties }) => {
        const remaining = removeProperties(properties, propertyIds);
        return remaining === undefined ? [] : { id, json: JSON.stringify(remaining) };
      });
      await updateStoredValues(tx, workspaceId, changed);
      const ids = pages.map(({ id }) => id);
      await deleteValues(tx, workspaceId, ids, propertyIds);
      if (ids.length === 0) await deleteJob(tx, job);
      return ids.at(-1);
    }, workspaceId);
    await sleep(PAUSE_MS);
  }
}
