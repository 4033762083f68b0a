import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../../storage/engine/store.js";
import { recordJobProgress, deleteJob, findDueJobs, type Job, takeOverJob } from "../../storage/jobs.js";
import { findValuesAfter, updateStoredValues } from "../../storage/pages.js";
import { deleteValues } from "../../storage/property-values.js";
import { finishMirroring } from "./mirror-links.js";
import { abandonConversion } from "./large-conversion.js";
import { readBatch } from "./read-batch.js";
import { resumeMove } from "./tree-moves.js";
import { removeProperties } from "./value-conversion.js";
import { finishWorkspaceDeletion } from "./workspace-deletion.js";

/** Pause after each batch of a removal, which is not urgent and should not delay requests. */
const PAUSE_MS = 20;

/** Jobs that are read at once. */
const MAX_JOBS = 10;

/**
 * Runs the jobs that no process runs: jobs without an owner, and jobs whose process has ended.
 *
 * @param isStopped returns true when no further batch should begin
 */
export async function runDueJobs(store: Store, isStopped: () => boolean): Promise<void> {
  for (const due of await findDueJobs(store.read, Date.now(), MAX_JOBS)) {
    if (isStopped()) return;
    const job = await store.write(async (tx) => {
      const taken = await takeOverJob(tx, due);
      if (taken?.kind !== "convert_values") return taken;
      await abandonConversion(tx, taken);
      return undefined;
    }, due.workspaceId);
    if (job?.kind === "delete_workspace") await finishWorkspaceDeletion(store, job, isStopped);
    else if (job?.kind === "mirror_links") await finishMirroring(store, job);
    else if (job?.kind === "remove_values") await removeValues(store, job, isStopped);
    else if (job !== undefined) await resumeMove(store, job);
  }
}

/** Removes values that no property of the schema names any more. */
async function removeValues(store: Store, job: Job, isStopped: () => boolean): Promise<void> {
  const { workspaceId, objectId, propertyIds } = job;
  let after: string | undefined = "";
  while (after !== undefined && !isStopped()) {
    const previous: string = after;
    after = await store.write(async (tx) => {
      const pages = await readBatch((before, limit) =>
        findValuesAfter(tx, workspaceId, objectId, before.at(-1)?.id ?? previous, limit),
      );
      if (!(await recordJobProgress(tx, job, pages.length))) return undefined;
      const changed = pages.flatMap(({ id, properties }) => {
        const rest = removeProperties(properties, propertyIds);
        return rest === undefined ? [] : { id, json: JSON.stringify(rest) };
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
