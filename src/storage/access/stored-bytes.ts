import { sql, type SqlBool } from "kysely";
import type { TimePosition } from "../../domain/cursor.js";
import type { Db, StorageScope } from "../tables.js";
import { updateWorkspace } from "./workspaces.js";

/* Bytes that a workspace stores: those of its rows at the last count, and an upper bound of those written since. */

/** Bytes of a workspace, see the columns of `workspaces`. */
export type StoredBytes = Awaited<ReturnType<typeof findChangedWorkspaces>>[number];

/** Adds to the upper bound of the bytes that were written since the last count. */
export async function addWrittenBytes(scope: StorageScope, bytes: number): Promise<void> {
  await updateWorkspace(scope)
    .set((eb) => ({ written_bytes: eb("written_bytes", "+", bytes) }))
    .execute();
}

/** Reads an upper bound of the bytes that a workspace stores. */
export async function readStoredBytes({ db, workspaceId }: StorageScope): Promise<number> {
  const row = await db
    .selectFrom("workspaces")
    .select(["counted_bytes", "written_bytes"])
    .where("id", "=", workspaceId)
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? 0 : row.counted_bytes + row.written_bytes;
}

/** Subtracts the bytes of deleted rows, so that the workspace can use their space before the next count. */
export async function subtractStoredBytes(scope: StorageScope, bytes: number): Promise<void> {
  // At least 0 in total: an import can store more than it has counted.
  const counted = sql<number>`case when counted_bytes + written_bytes > ${bytes}
    then counted_bytes - ${bytes} else -written_bytes end`;
  await updateWorkspace(scope).set({ counted_bytes: counted }).execute();
}

/** Reads up to `limit` workspaces that were written to since their last count, the oldest count first, after a position. */
export function findChangedWorkspaces(db: Db, after: TimePosition, limit: number) {
  return db
    .selectFrom("workspaces")
    .select([
      "id as workspaceId",
      "plan",
      "counted_bytes as countedBytes",
      "written_bytes as writtenBytes",
      "counted_time as countedTime",
    ])
    .where("written_bytes", ">", 0)
    .where(sql<SqlBool>`(counted_time, id) > (${after.time}, ${after.id})`)
    .orderBy("counted_time")
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Records the start of a count. Returns false when another process has begun one in the meantime. */
export async function beginCount(tx: Db, workspace: StoredBytes, now: number): Promise<boolean> {
  const { numUpdatedRows } = await updateWorkspace({ db: tx, ...workspace })
    .set({ counted_time: now })
    .where("counted_time", "=", workspace.countedTime)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Records the result of a count. Bytes that were written during the count can count twice. */
export async function finishCount(tx: Db, workspace: StoredBytes, countedBytes: number): Promise<void> {
  await updateWorkspace({ db: tx, ...workspace })
    .set((eb) => ({
      counted_bytes: countedBytes,
      written_bytes: eb("written_bytes", "-", workspace.writtenBytes),
    }))
    .execute();
}
