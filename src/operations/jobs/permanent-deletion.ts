import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "../../storage/engine/store.js";
import {
  deleteJob,
  insertJob,
  type Job,
  NO_OWNER,
  recordJobProgress,
  releaseJob,
} from "../../storage/jobs.js";
import { type ContainerGroup, deleteTrees, groupByKind } from "../../storage/permanent-deletion.js";
import type { Db } from "../../storage/tables.js";
import { findTrashRoots } from "../../storage/trash-roots.js";
import { type Container, findObject } from "../../storage/trash.js";
import type { WriteScope } from "../scope.js";

/** Pause between two transactions. */
const PAUSE_MS = 20;

/** Time after which a deletion gives way to other jobs, which run one after another. */
const MAX_RUN_MS = 10_000;

/** Maximum number of trash roots that are read at once. */
const MAX_ROOTS = 50;

/**
 * Deletes a trash root with everything in it, or everything that is in the trash now. What is too much for this
 * transaction is left to a job, which any process runs within a few seconds.
 *
 * @param rootId undefined for the whole trash
 * @returns whether everything is deleted already
 */
export async function startDeletion(scope: WriteScope, rootId: string | undefined): Promise<boolean> {
  const { db, workspaceId, edit } = scope;
  const deletion = {
    workspaceId,
    kind: rootId === undefined ? "empty_trash" : "delete_permanently",
    objectId: rootId ?? workspaceId,
    createdTime: edit.time,
  } as const;
  const { rest, count } = await deleteTrees(db, workspaceId, groupByKind(await findRoots(db, deletion)));
  if (rest.length === 0 && (await findRoots(db, deletion)).length === 0) return true;
  await insertJob(db, { ...deletion, doneCount: count, owner: NO_OWNER });
  return false;
}

/** Finds objects to delete, each with everything in it. There are none when the deletion is complete. */
async function findRoots(
  db: Db,
  {
    workspaceId,
    kind,
    objectId,
    createdTime,
  }: Pick<Job, "workspaceId" | "kind" | "objectId" | "createdTime">,
): Promise<Container[]> {
  if (kind === "empty_trash") return findTrashRoots(db, workspaceId, createdTime, MAX_ROOTS);
  const object = await findObject(db, workspaceId, objectId);
  return object === undefined ? [] : [{ id: objectId, kind: object.kind }];
}

/**
 * Continues a deletion in batches, for at most MAX_RUN_MS.
 *
 * @param isStopped returns true when no further batch should begin
 * @returns a promise that resolves when the deletion is complete, or any process can take over the job
 */
export async function continueDeletion(store: Store, job: Job, isStopped: () => boolean): Promise<void> {
  const { workspaceId } = job;
  const end = performance.now() + MAX_RUN_MS;
  let rest: readonly ContainerGroup[] = [];
  let isOver = false;
  while (!isOver) {
    const current = rest;
    const mustStop = isStopped() || performance.now() > end;
    ({ rest, isOver } = await store.write(async (tx) => {
      if (mustStop) {
        await releaseJob(tx, job);
        return { rest: [], isOver: true };
      }
      const groups = current.length > 0 ? current : groupByKind(await findRoots(tx, job));
      const batch = await deleteTrees(tx, workspaceId, groups);
      const isOwner = await recordJobProgress(tx, job, batch.count);
      if (groups.length === 0) await deleteJob(tx, job);
      return { rest: batch.rest, isOver: !isOwner || groups.length === 0 };
    }, workspaceId));
    // Lets other processes write, which poll for the lock of a SQLite file every few milliseconds.
    await sleep(PAUSE_MS);
  }
}
