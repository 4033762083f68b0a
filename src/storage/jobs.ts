import { sql } from "kysely";
import { newId } from "../domain/ids.js";
import { type Entity, toCamelCase, toSnakeCase } from "./column-names.js";
import { hasRows } from "./sql-helpers.js";
import type { Db, JobKind, StorageScope, Tables } from "./tables.js";
import { deleteFrom, insertInto, selectFrom, updateTable } from "./workspace-rows.js";

/** A change that is committed in batches. The process that runs it holds its lease, and another one takes over when the lease ends. */
export interface Job extends Entity<Omit<Tables["jobs"], "property_ids" | "lease_time">> {
  readonly propertyIds: readonly string[];
}

/** Owner of a job that no process runs yet, or any more. */
export const NO_OWNER = "";

/** Time after which the lease of a job ends. Each batch renews it. */
const LEASE_MS = 10_000;

/** A job to insert. By default, its owner is a new run, which the caller starts. */
export type NewJob = Pick<Job, "kind" | "objectId"> & Partial<Omit<Job, "workspaceId">>;

/** Inserts a job. Its owner, if it has one, holds the lease. */
export async function insertJob(scope: StorageScope, input: NewJob): Promise<Job> {
  const job: Job = {
    workspaceId: scope.workspaceId,
    id: newId(),
    propertyIds: [],
    doneCount: 0,
    totalCount: null,
    createdTime: Date.now(),
    owner: newId(),
    ...input,
  };
  const { propertyIds, ...fields } = job;
  await insertInto(scope, "jobs", {
    ...toSnakeCase(fields),
    property_ids: JSON.stringify(propertyIds),
    lease_time: job.owner === NO_OWNER ? 0 : job.createdTime + LEASE_MS,
  }).execute();
  return job;
}

/** Renews the lease of a job. Returns false when the run no longer holds the lease. */
export function renewLease(scope: StorageScope, job: Job): Promise<boolean> {
  return recordJobProgress(scope, job, 0);
}

/** Adds to the progress of a job, and renews its lease. Returns false when the run no longer holds the lease. */
export async function recordJobProgress(scope: StorageScope, job: Job, addedCount: number): Promise<boolean> {
  const { numUpdatedRows } = await updateTable(scope, "jobs")
    .set((eb) => ({ done_count: eb("done_count", "+", addedCount), lease_time: Date.now() + LEASE_MS }))
    .where("id", "=", job.id)
    .where("owner", "=", job.owner)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Takes over a job whose lease has ended, and resets its progress. Returns undefined if the job or its lease has changed. */
export async function takeOverJob(scope: StorageScope, { id }: Job): Promise<Job | undefined> {
  const now = Date.now();
  const row = await updateTable(scope, "jobs")
    .set({ done_count: 0, owner: newId(), lease_time: now + LEASE_MS })
    .where("id", "=", id)
    .where("lease_time", "<=", now)
    .returningAll()
    .executeTakeFirst();
  return row && toJob(row);
}

/** Ends the lease of a job before the job is done, so that any process can continue it. */
export async function releaseJob(scope: StorageScope, { id, owner }: Job): Promise<void> {
  await updateTable(scope, "jobs")
    // Not 0, because findDueJobs begins with the jobs that were never run.
    .set({ owner: NO_OWNER, lease_time: Date.now() })
    .where("id", "=", id)
    .where("owner", "=", owner)
    .execute();
}

/** Inserts a job that removes the values of properties that a database no longer has, unless one is waiting already. */
export async function requestValueRemoval(scope: StorageScope, databaseId: string): Promise<void> {
  const isWaiting = await hasRows(
    selectFrom(scope, "jobs")
      .select("id")
      .where("kind", "=", "remove_values")
      .where("object_id", "=", databaseId)
      .where("owner", "=", NO_OWNER),
  );
  if (isWaiting) return;
  await insertJob(scope, { kind: "remove_values", objectId: databaseId, owner: NO_OWNER });
}

/** Reads the ids of the properties of a job; none if the job does not exist. */
export async function findPropertyIdsOfJob(scope: StorageScope, id: string): Promise<readonly string[]> {
  const row = await selectFrom(scope, "jobs")
    .select("property_ids")
    .where("id", "=", id)
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? [] : JSON.parse(row.property_ids);
}

/** Lets a waiting job that empties the trash delete what is in it up to `time`. Returns false if no such job waits. */
export async function extendTrashDeletion(scope: StorageScope, time: number): Promise<boolean> {
  const { numUpdatedRows } = await updateTable(scope, "jobs")
    .set({ created_time: time })
    .where("kind", "=", "empty_trash")
    .where("owner", "=", NO_OWNER)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function deleteJob(scope: StorageScope, id: string): Promise<void> {
  await deleteFrom(scope, "jobs").where("id", "=", id).execute();
}

/** Finds the job that deletes the workspace, or the rows of an import that has not ended. */
export async function findWorkspaceDeletion(scope: StorageScope): Promise<Job | undefined> {
  const row = await selectFrom(scope, "jobs")
    .selectAll()
    .where("kind", "in", ["delete_workspace", "import_workspace"])
    .limit(1)
    .executeTakeFirst();
  return row && toJob(row);
}

/**
 * Finds the oldest due job of each workspace, except `excluded`: first those never run, then those that wait the longest. Finds the
 * workspaces with a loose index scan, and looks up one job per kind in each, because a workspace can have thousands of them.
 */
export async function findDueJobs(
  db: Db,
  kinds: readonly JobKind[],
  limit: number,
  excluded: readonly string[],
): Promise<Job[]> {
  const now = Date.now();
  const oldestOfKinds = kinds.map(
    (kind) => sql`
      select min(id) as id from jobs
      where workspace_id = tenants.workspace_id and kind = ${sql.lit(kind)} and lease_time <= ${now}`,
  );
  const isExcluded =
    excluded.length === 0 ? sql.lit(false) : sql`tenants.workspace_id in (${sql.join(excluded)})`;
  const { rows } = await sql<Tables["jobs"]>`
    select jobs.* from (
      with recursive tenants as (
        select min(workspace_id) as workspace_id from jobs
        union all
        select (select min(workspace_id) from jobs where workspace_id > tenants.workspace_id)
        from tenants where workspace_id is not null
      )
      select workspace_id, (select min(id) from (${sql.join(oldestOfKinds, sql` union all `)}) as of_kinds) as id
      from tenants where not ${isExcluded}
    ) as oldest
    join jobs on jobs.workspace_id = oldest.workspace_id and jobs.id = oldest.id
    order by lease_time, id limit ${limit}
  `.execute(db);
  return rows.map(toJob);
}

/** Reads the ids of the objects that jobs move to the trash or back, up to `limit`. */
export async function findIdsOfMovedObjects(scope: StorageScope, limit: number): Promise<string[]> {
  const rows = await selectFrom(scope, "jobs")
    .select("object_id")
    .where("kind", "in", ["move_to_trash", "restore"])
    .limit(limit)
    .execute();
  return rows.map(({ object_id: id }) => id);
}

export type ListedJob = Job & { readonly workspaceName: string };

/** Reads all jobs, oldest first. */
export async function findAllJobs(db: Db): Promise<ListedJob[]> {
  const rows = await db
    .selectFrom("jobs as j")
    .innerJoin("workspaces as w", "w.id", "j.workspace_id")
    .selectAll("j")
    .select("w.name")
    .orderBy("j.created_time")
    .orderBy("j.id")
    .execute();
  return rows.map(({ name, ...row }) => ({ ...toJob(row), workspaceName: name }));
}

function toJob(row: Tables["jobs"]): Job {
  return { ...toCamelCase(row, { omit: "lease_time" }), propertyIds: JSON.parse(row.property_ids) };
}
