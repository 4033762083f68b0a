import { newId } from "../domain/ids.js";
import type { JobKind, JobsTable, Db, StorageScope } from "./tables.js";
import { hasId } from "./by-id.js";

/**
 * A change that is too large for one transaction and is committed in batches. A job belongs to the run that holds its
 * lease. When a process ends before its job does, another process takes over the job in a new run.
 */
export interface Job {
  readonly workspaceId: string;
  readonly id: string;
  readonly kind: JobKind;
  /**
   * The object that the job works on: a database, an object that moves to or from the trash or is deleted from it, or the
   * workspace.
   */
  readonly objectId: string;
  /**
   * Ids of the properties whose values the job writes or removes, or of the relation whose links it copies to its synced
   * property; empty for other jobs.
   */
  readonly propertyIds: readonly string[];
  /** Number of objects that are done. */
  readonly doneCount: number;
  /** Total number of objects; null when it is unknown. */
  readonly totalCount: number | null;
  readonly createdTime: number;
  /** Random id of the run that holds the lease; NO_OWNER if any process can take over the job. */
  readonly owner: string;
}

/** Owner of a job that no process runs. */
export const NO_OWNER = "";

/** Time after which the lease of a job ends, unless its owner has committed another batch. */
const LEASE_MS = 10_000;

/** A job to insert. Omitted fields get the values of a new job that this process runs. */
export type NewJob = Pick<Job, "kind" | "objectId"> & Partial<Omit<Job, "workspaceId">>;

/** Inserts a job. Its owner, if it has one, holds the lease. */
export async function insertJob({ db, workspaceId }: StorageScope, input: NewJob): Promise<Job> {
  const job: Job = {
    workspaceId,
    id: newId(),
    propertyIds: [],
    doneCount: 0,
    totalCount: null,
    createdTime: Date.now(),
    owner: newId(),
    ...input,
  };
  await db
    .insertInto("jobs")
    .values({
      workspace_id: job.workspaceId,
      id: job.id,
      kind: job.kind,
      object_id: job.objectId,
      property_ids: JSON.stringify(job.propertyIds),
      done: job.doneCount,
      total: job.totalCount,
      created_time: job.createdTime,
      owner: job.owner,
      lease_time: job.owner === NO_OWNER ? 0 : job.createdTime + LEASE_MS,
    })
    .execute();
  return job;
}

/**
 * Adds to the progress of a job and renews its lease.
 *
 * @param addedCount number of objects that the batch has finished
 * @returns false when the job has ended or another process has taken it over
 */
export async function recordJobProgress(
  { db, workspaceId }: StorageScope,
  { id, owner }: Job,
  addedCount: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("jobs")
    .set((eb) => ({ done: eb("done", "+", addedCount), lease_time: Date.now() + LEASE_MS }))
    .where(hasId(workspaceId, id))
    .where("owner", "=", owner)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Takes over a job whose lease has ended, and counts its progress anew, because the new run starts at the beginning.
 *
 * @returns the job with a new owner; undefined when it is gone or its lease was renewed
 */
export async function takeOverJob({ db, workspaceId }: StorageScope, { id }: Job): Promise<Job | undefined> {
  const now = Date.now();
  const row = await db
    .updateTable("jobs")
    .set({ done: 0, owner: newId(), lease_time: now + LEASE_MS })
    .where(hasId(workspaceId, id))
    .where("lease_time", "<=", now)
    .returningAll()
    .executeTakeFirst();
  return row && toJob(row);
}

/** Ends the lease of a job before it is done, so that other jobs get a turn and any process can continue this one. */
export async function releaseJob({ db, workspaceId }: StorageScope, { id, owner }: Job): Promise<void> {
  await db
    .updateTable("jobs")
    .set({ owner: NO_OWNER, lease_time: Date.now() })
    .where(hasId(workspaceId, id))
    .where("owner", "=", owner)
    .execute();
}

/**
 * Turns the job of a conversion that has ended into one that removes the values that are no longer used: the old values
 * after a success, the new ones after a failure. Any process can take it over at once. The total stays, because the
 * removal visits the same pages.
 */
export async function convertToRemovalJob(
  { db, workspaceId }: StorageScope,
  id: string,
  propertyIds: readonly string[],
): Promise<void> {
  await db
    .updateTable("jobs")
    .set({
      kind: "remove_values",
      property_ids: JSON.stringify(propertyIds),
      done: 0,
      owner: NO_OWNER,
      lease_time: 0,
    })
    .where(hasId(workspaceId, id))
    .execute();
}

/**
 * Leaves a job that removes values of a database, which any process can take over. Adds to such a job that has not begun, so
 * that a database has at most one that waits.
 */
export async function requestRemoval(
  scope: StorageScope,
  databaseId: string,
  propertyIds: readonly string[],
): Promise<void> {
  const waiting = (await findWorkspaceJobs(scope)).find(
    ({ kind, objectId, owner }) => kind === "remove_values" && objectId === databaseId && owner === NO_OWNER,
  );
  if (waiting === undefined) {
    const job = { kind: "remove_values", objectId: databaseId, propertyIds, owner: NO_OWNER } as const;
    await insertJob(scope, job);
    return;
  }
  await scope.db
    .updateTable("jobs")
    .set({ property_ids: JSON.stringify([...waiting.propertyIds, ...propertyIds]) })
    .where(hasId(scope.workspaceId, waiting.id))
    .execute();
}

/** Deletes a job that has ended. */
export async function deleteJob({ db, workspaceId }: StorageScope, id: string): Promise<void> {
  await db.deleteFrom("jobs").where(hasId(workspaceId, id)).execute();
}

/** Reads the jobs of some kinds whose lease has ended at `now`, oldest first. */
export async function findDueJobs(
  db: Db,
  kinds: readonly JobKind[],
  now: number,
  limit: number,
): Promise<Job[]> {
  const rows = await db
    .selectFrom("jobs")
    .selectAll()
    .where("lease_time", "<=", now)
    .where("kind", "in", kinds)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(toJob);
}

/** Reads the jobs of a workspace. */
export async function findWorkspaceJobs({ db, workspaceId }: StorageScope): Promise<Job[]> {
  const rows = await db.selectFrom("jobs").selectAll().where("workspace_id", "=", workspaceId).execute();
  return rows.map(toJob);
}

/** A job with the name of its workspace. */
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

function toJob(row: JobsTable): Job {
  return {
    workspaceId: row.workspace_id,
    id: row.id,
    kind: row.kind,
    objectId: row.object_id,
    propertyIds: JSON.parse(row.property_ids),
    doneCount: row.done,
    totalCount: row.total,
    createdTime: row.created_time,
    owner: row.owner,
  };
}
