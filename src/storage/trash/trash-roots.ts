import { sql, type RawBuilder } from "kysely";
import { MAX_LINK_TITLE_LENGTH } from "../../budgets.js";
import type { TimePosition } from "../../domain/cursor.js";
import type { StoredObject } from "../../domain/stored-object.js";
import type { StorageScope } from "../tables.js";
import { findTitledObjects, groupIdsByKind, type TitledObject } from "../objects/titles.js";
import { type ObjectRef, TABLE_BY_KIND } from "../objects/objects.js";
import { selectFrom } from "../workspace-rows.js";

/*
 * Trash roots: objects that were moved to the trash by themselves. Their last edit is this move, because objects in the trash accept
 * no other change. A job that empties the trash deletes the roots whose last edit is not later than its `created_time`, see
 * chooseDeletionTime. During the job, chooseTrashTime gives further roots a later time, whatever the clocks say.
 */

/** Condition of the partial indexes of trash roots. */
const IS_ROOT = sql`trash_root = id`;

/** Condition that a row of `blocks` is a block, and not the position of a page or database inside a page. */
const IS_BLOCK = sql`type not in ('child_page', 'child_database')`;

/** Reads pages and databases that are trash roots, the last edited first, except those that a job deletes. Cuts their titles. */
export async function findTrashedObjects(
  scope: StorageScope,
  after: TimePosition | undefined,
  limit: number,
): Promise<TitledObject[]> {
  const { db, workspaceId } = scope;
  const isAfter = after ? sql`and (last_edited_time, id) < (${after.time}, ${after.id})` : sql``;
  const roots = (kind: TitledObject["kind"], table: string) => sql`
    select ${sql.lit(kind)} as kind, id, last_edited_time from ${sql.table(table)}
    where workspace_id = ${workspaceId} and ${IS_ROOT} ${isAfter}
      and not exists (${selectDeletion(workspaceId, sql`${sql.table(table)}.id`, sql`last_edited_time`)})
  `;
  const { rows } = await sql<Pick<TitledObject, "kind" | "id"> & { last_edited_time: number }>`
    select * from (${roots("page", "pages")} union all ${roots("database", "databases")}) as roots
    order by last_edited_time desc, id desc limit ${limit}
  `.execute(db);
  const objects = await findTitledObjects(scope, groupIdsByKind(rows), MAX_LINK_TITLE_LENGTH);
  // The time of the row, because an object can be restored in the meantime, and cursors continue after times of rows.
  return rows.flatMap(({ id, last_edited_time: time }) => {
    const object = objects.get(id);
    return object === undefined ? [] : [{ ...object, lastEditedTime: time }];
  });
}

/** Chooses the time of a move to the trash: `now`, or later than a job that empties the trash, so that the object survives it. */
export async function chooseTrashTime(scope: StorageScope, now: number): Promise<number> {
  const { time } = await selectFrom(scope, "jobs")
    .select((eb) => eb.fn.max("created_time").as("time"))
    .where("kind", "=", "empty_trash")
    .executeTakeFirstOrThrow();
  return Math.max(now, Number(time) + 1);
}

/**
 * Chooses the time up to which trash roots are deleted: `now`, or the last edit of any page or database, which can be later by the
 * clock of another process. A move of a block to the trash is not later, because it is an edit of the block's page too.
 */
export async function chooseDeletionTime({ db, workspaceId }: StorageScope, now: number): Promise<number> {
  // One index has the objects in the trash and all others separately.
  const maxTimes = (["pages", "databases"] as const).flatMap((table) =>
    [0, 1].map(
      (inTrash) => sql`
        select max(last_edited_time) as time from ${sql.table(table)}
        where workspace_id = ${workspaceId} and in_trash = ${sql.lit(inTrash)}`,
    ),
  );
  const { rows } = await sql<{ time: number | null }>`${sql.join(maxTimes, sql` union all `)}`.execute(db);
  return Math.max(now, ...rows.map(({ time }) => Number(time)));
}

/** Reads trash roots of any kind whose last edit is not later than `time`. */
export async function findTrashRoots(scope: StorageScope, time: number, limit: number): Promise<ObjectRef[]> {
  const { db, workspaceId } = scope;
  const roots: ObjectRef[] = [];
  for (const kind of ["database", "page", "block"] as const) {
    const { rows } = await sql<{ id: string }>`
      select id from ${sql.table(TABLE_BY_KIND[kind])}
      where workspace_id = ${workspaceId} and ${IS_ROOT} and last_edited_time <= ${time}
        ${kind === "block" ? sql`and ${IS_BLOCK}` : sql``}
      limit ${limit - roots.length}
    `.execute(db);
    roots.push(...rows.map(({ id }) => ({ id, kind })));
  }
  return roots;
}

/** Whether an object is a trash root that a job deletes permanently. */
export async function isBeingDeleted(
  { db, workspaceId }: StorageScope,
  { id, trashRoot, lastEditedTime }: Pick<StoredObject, "id" | "trashRoot" | "lastEditedTime">,
): Promise<boolean> {
  if (trashRoot !== id) return false;
  const { rows } = await selectDeletion(workspaceId, sql`${id}`, sql`${lastEditedTime}`).execute(db);
  return rows.length > 0;
}

/** Selects the jobs that delete a trash root, given its id and the time of its last edit. */
function selectDeletion(
  workspaceId: string,
  id: RawBuilder<unknown>,
  lastEditedTime: RawBuilder<unknown>,
): RawBuilder<unknown> {
  // Not one SELECT with OR, for which SQLite reads all jobs of the workspace.
  return sql`
    select 1 from jobs
    where jobs.workspace_id = ${workspaceId} and kind = 'delete_permanently' and object_id = ${id}
    union all
    select 1 from jobs
    where jobs.workspace_id = ${workspaceId} and kind = 'empty_trash' and jobs.created_time >= ${lastEditedTime}
  `;
}
