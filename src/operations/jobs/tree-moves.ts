import {
  MAX_CHECKED_ANCESTORS,
  MAX_MOVED_BYTES,
  MAX_MOVED_OBJECTS,
  MAX_MOVES_PER_WORKSPACE,
} from "../../budgets.js";
import { DomainError } from "../../domain/errors.js";
import type { Parent, StoredObject } from "../../domain/stored-object.js";
import type { Store } from "../../storage/engine/store.js";
import { findIdsOfMovedObjects, insertJob, type Job } from "../../storage/jobs.js";
import type { ContentSize } from "../../storage/content-size.js";
import { type MovedObject, moveContents, moveRoot } from "../../storage/trash.js";
import { eachAncestorId, findObject } from "../../storage/objects.js";
import type { WriteScope } from "../scope.js";
import { runBatches } from "./run-batches.js";

const BATCH_LIMIT: ContentSize = { count: MAX_MOVED_OBJECTS, bytes: MAX_MOVED_BYTES };

/**
 * Moves an object to the trash or back with everything in it: the object itself and its first contents in this transaction, and
 * the others in batches after it. Throws a DomainError (conflict) while an ancestor or descendant of the object is being moved.
 */
export async function startMove(
  scope: WriteScope,
  object: Pick<StoredObject, "id" | "parent">,
  toTrash: boolean,
): Promise<void> {
  const { edit, followUps } = scope;
  await refuseConflictingMove(scope, object);
  const move = { rootId: object.id, toTrash };
  await moveRoot(scope, move, edit);
  const kind = (await findObject(scope, object.id))?.kind ?? "block";
  const { remainingParents, count } = await moveContents(scope, move, [{ id: object.id, kind }], BATCH_LIMIT);
  if (remainingParents.length === 0) return;
  const jobKind = toTrash ? "move_to_trash" : "restore";
  const job = await insertJob(scope, { kind: jobKind, objectId: object.id, doneCount: count });
  followUps.push((store) => finishMove(store, job, remainingParents));
}

async function refuseConflictingMove(
  scope: WriteScope,
  { id, parent }: Pick<StoredObject, "id" | "parent">,
): Promise<void> {
  const roots = await findIdsOfMovedObjects(scope, MAX_MOVES_PER_WORKSPACE);
  if (roots.length === 0) return;
  if (roots.length === MAX_MOVES_PER_WORKSPACE) throw createMoveConflictError();
  // Ancestors that are checked already. An object has one parent, so the ancestors above them are checked too.
  const checked = new Set<string>();
  const checkAncestors = async (from: Parent, isConflict: (ancestorId: string) => boolean): Promise<void> => {
    for await (const ancestorId of eachAncestorId(scope, from)) {
      if (checked.has(ancestorId)) return;
      if (isConflict(ancestorId) || checked.size === MAX_CHECKED_ANCESTORS) throw createMoveConflictError();
      checked.add(ancestorId);
    }
  };
  if (roots.includes(id)) throw createMoveConflictError();
  await checkAncestors(parent, (ancestorId) => roots.includes(ancestorId));
  for (const root of roots) {
    const rootParent = (await findObject(scope, root))?.parent;
    if (rootParent !== undefined) await checkAncestors(rootParent, (ancestorId) => ancestorId === id);
  }
}

async function finishMove(store: Store, job: Job, parents: readonly MovedObject[]): Promise<void> {
  const move = { rootId: job.objectId, toTrash: job.kind === "move_to_trash" };
  await runBatches(store, job, parents, async (scope, current) => {
    const { remainingParents, count } = await moveContents(scope, move, current, BATCH_LIMIT);
    return { doneCount: count, nextState: remainingParents.length === 0 ? null : remainingParents };
  });
}

/** Finishes a move whose process has ended. Starts again at the root, because moving an object twice changes nothing. */
export async function resumeMove(store: Store, job: Job): Promise<void> {
  const object = await findObject({ db: store.read, workspaceId: job.workspaceId }, job.objectId);
  await finishMove(store, job, object ? [{ id: job.objectId, kind: object.kind }] : []);
}

function createMoveConflictError(): DomainError {
  return new DomainError(
    "conflict",
    "Another request is moving this object, or one that contains it or is in it, to the trash or back. Send this request again when that one is done.",
  );
}
