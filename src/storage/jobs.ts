import { newId } from "../domain/ids.js";
import type { JobKind, JobsTable, Db } from "./tables.js";
import { hasId } from "./by-id.js";

/*
 * Jobs: changes that are too large for one transaction, and that are committed in batches. A job belongs to the
 * process that holds its lease. When a process ends before its job does, another process takes over the job.
 */

/** A job. */
export interface Job {
  readonly workspaceId: string;
  readonly id: string;
  readonly kind: JobKind;
  /** The database whose values change, the object that is moved to the trash or restored, or the workspace. */
  readonly objectId: string;
  /** Ids of the properties whose values are written, removed or mirrored; empty for other jobs. */
  readonly propertyIds: readonly string[];
  /** Number of objects that are done. */
  readonly done: number;
  /** Total number of objects; null when it is unknown. */
  readonly total: number | null;
  readonly createdTime: number;
  /** The holder of the lease. */
  readonly owner: string;
}

/** Time after which the lease of a job ends, unless its owner has committed another batch. */
const LEASE_MS = 10_000;

/** A job to insert. Omitted fields get the values of a new job that this process owns. */
export type NewJob = Pick<Job, "workspaceId" | "kind" | "objectId"> & Partial<Job>;

/**
 * Inserts a job, whose owner holds the lease.
 *
 * @param input with "" as the owner, any process can take over the job at once
 */
export async function insertJob(tx: Db, input: NewJob): Promise<Job> {
  const job: Job = {
    id: newId(),
    propertyIds: [],
    done: 0,
    total: null,
    createdTime: Date.now(),
    owner: newId(),
    ...input,
  };
  const { workspaceId, objectId, propertyIds, createdTime, ...columns } = job;
  await tx
    .insertInto("jobs")
    .values({
      ...columns,
      workspace_id: workspaceId,
      object_id: objectId,
      property_ids: JSON.stringify(propertyIds),
      created_time: createdTime,
      lease_time: job.owner === "" ? 0 : createdTime + LEASE_MS,
    })
    .execute();
  return job;
}

/**
 * Adds to the progress of a job and renews its lease.
 *
 * @returns false when the job has ended or another process has taken it over, so that the batch must not be committed
 */
export async function recordJobProgress(
  tx: Db,
  { workspaceId, id, owner }: Job,
  done: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("jobs")
    .set((row) => ({ done: row("done", "+", done), lease_time: Date.now() + LEASE_MS }))
    .where(hasId(workspaceId, id))
    .where("owner", "=", owner)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Takes over a job whose lease has ended.
 *
 * @returns undefined when the job has ended, or its lease was renewed
 */
export async function takeOverJob(
  tx: Db,
  { workspaceId, id }: Job,
  owner: string,
  now: number,
): Promise<Job | undefined> {
  const row = await tx
    .updateTable("jobs")
    .set({ owner, lease_time: now + LEASE_MS })
    .where(hasId(workspaceId, id))
    .where("lease_time", "<=", now)
    .returningAll()
    .executeTakeFirst();
  return row && toJob(row);
}

/** Turns a job into one that removes the values of properties, and that any process can take over at once. */
export async function convertToRemovalJob(
  tx: Db,
  { workspaceId, id }: Pick<Job, "workspaceId" | "id">,
  propertyIds: readonly string[],
): Promise<void> {
  await tx
    .updateTable("jobs")
    .set({
      kind: "remove_values",
      property_ids: JSON.stringify(propertyIds),
      done: 0,
      owner: "",
      lease_time: 0,
    })
    .where(hasId(workspaceId, id))
    .execute();
}

/** Deletes a job that has ended. */
export async function deleteJob(tx: Db, { workspaceId, id }: Pick<Job, "workspaceId" | "id">): Promise<void> {
  await tx.deleteFrom("jobs").where(hasId(workspaceId, id)).execute();
}

/** Reads the jobs whose lease has ended at `now`, oldest lease first. */
export async function findDueJobs(db: Db, now: number, limit: number): Promise<Job[]> {
  const rows = await db
    .selectFrom("jobs")
    .selectAll()
    .where("lease_time", "<=", now)
    .orderBy("lease_time")
    .limit(limit)
    .execute();
  return rows.map(toJob);
}

/** Reads the jobs of a workspace. */
export async function findJobs(db: Db, workspaceId: string): Promise<Job[]> {
  const rows = await db.selectFrom("jobs").selectAll().where("workspace_id", "=", workspaceId).execute();
  return rows.map(toJob);
}

/** A job with the name of its workspace. */
export type ListedJob = Job & { readonly workspaceName: string };

/** Reads all jobs, oldest first. */
export async function listJobs(db: Db): Promise<ListedJob[]> {
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
    done: row.done,
    total: row.total,
    createdTime: row.created_time,
    owner: row.owner,
  };
}
