import { DomainError } from "../../domain/errors.js";
import type { StoredObject } from "../../domain/object.js";
import type { Store } from "../../storage/engine/store.js";
import { recordJobProgress, deleteJob, findWorkspaceJobs, insertJob, type Job } from "../../storage/jobs.js";
import { type Container, findContainerIds, findObject, moveContents, moveRoot } from "../../storage/trash.js";
import type { WriteScope } from "../scope.js";

/** Maximum number of objects that one transaction moves. */
const MAX_OBJECTS = 300;

/**
 * Moves an object to the trash or back with its contents. The object itself moves in the same transaction. Its contents
 * do so too if they are few, and otherwise follow in batches.
 *
 * @throws DomainError (conflict) when an object that contains it, or that it contains, is being moved
 */
export async function startMove(
  scope: WriteScope,
  object: Pick<StoredObject, "id" | "parent">,
  toTrash: boolean,
): Promise<void> {
  const { db, workspaceId, edit, followUps } = scope;
  await checkNoOtherMove(scope, object);
  const move = { rootId: object.id, toTrash };
  await moveRoot(db, workspaceId, move, edit);
  const kind = (await findObject(db, workspaceId, object.id))?.kind ?? "block";
  const { rest, count } = await moveContents(db, workspaceId, move, [{ id: object.id, kind }], MAX_OBJECTS);
  if (rest.length === 0) return;
  const jobKind = toTrash ? "move_to_trash" : "restore";
  const job = await insertJob(db, { workspaceId, kind: jobKind, objectId: object.id, doneCount: count });
  followUps.push((store) => finishMove(store, job, rest));
}

async function checkNoOtherMove(
  { db, workspaceId }: WriteScope,
  { id, parent }: Pick<StoredObject, "id" | "parent">,
): Promise<void> {
  const jobs = await findWorkspaceJobs(db, workspaceId);
  const roots = jobs.flatMap(({ kind, objectId }) =>
    kind === "move_to_trash" || kind === "restore" ? [objectId] : [],
  );
  if (roots.length === 0) return;
  const selfAndContainers = new Set([id, ...(await findContainerIds(db, workspaceId, parent))]);
  for (const root of roots) {
    const rootParent = (await findObject(db, workspaceId, root))?.parent;
    const isInside =
      rootParent !== undefined && (await findContainerIds(db, workspaceId, rootParent)).includes(id);
    if (selfAndContainers.has(root) || isInside) throw createMoveConflictError();
  }
}

/**
 * Moves the contents of an object in batches.
 *
 * @returns a promise that resolves when they are moved, or another process has taken over the job
 */
async function finishMove(store: Store, job: Job, containers: readonly Container[]): Promise<void> {
  const { workspaceId, objectId } = job;
  const move = { rootId: objectId, toTrash: job.kind === "move_to_trash" };
  let rest: readonly Container[] | undefined = containers;
  while (rest !== undefined) {
    const current: readonly Container[] = rest;
    rest = await store.write(async (tx) => {
      const batch = await moveContents(tx, workspaceId, move, current, MAX_OBJECTS);
      if (!(await recordJobProgress(tx, job, batch.count))) return undefined;
      if (batch.rest.length === 0) await deleteJob(tx, job);
      return batch.rest.length === 0 ? undefined : batch.rest;
    }, workspaceId);
  }
}

/** Finishes the move of a process that has ended, starting again at the root. */
export async function resumeMove(store: Store, job: Job): Promise<void> {
  const object = await findObject(store.read, job.workspaceId, job.objectId);
  await finishMove(store, job, object ? [{ id: job.objectId, kind: object.kind }] : []);
}

function createMoveConflictError(): DomainError {
  return new DomainError(
    "conflict",
    "Another request is moving this object, or one that contains it or is in it, to the trash or back. Send this request again when that one is done.",
  );
}
