import { setTimeout as sleep } from "node:timers/promises";
import { UserError } from "../../errors.js";
import { findWorkspaceByName, setWorkspaceName } from "../access/workspaces.js";
import { deleteWorkspaceRows } from "../delete-workspace-rows.js";
import type { Store } from "../engine/store.js";
import { deleteJob, findWorkspaceDeletion, insertJob, type Job, renewLease, takeOverJob } from "../jobs.js";
import type { Db, StorageScope } from "../tables.js";
import { buildInsert } from "./batch.js";
import { createLineError } from "./format.js";
import type { ImportedRow } from "./read-rows.js";

/** Pause after each transaction, in which other processes can get the lock of a SQLite file. */
const PAUSE_MS = 20;
/** Interval in which the lease is renewed, also while the import waits for its file. */
const RENEWAL_INTERVAL_MS = 3000;
/** Interval between attempts to take over the remains of an earlier import, or of a deleted workspace. */
const TAKE_OVER_INTERVAL_MS = 1000;

/** Workspace that is being imported: hidden, with a job that deletes it if the importing process, which holds its lease, ends. */
export class HiddenWorkspace {
  readonly #store: Store;
  readonly #job: Job;
  readonly #imported: ImportedRow;
  readonly #renewal: NodeJS.Timeout;

  private constructor(store: Store, job: Job, imported: ImportedRow) {
    this.#store = store;
    this.#job = job;
    this.#imported = imported;
    // Errors are ignored: the next write reports them.
    this.#renewal = setInterval(() => void this.#write(async () => {}).catch(() => {}), RENEWAL_INTERVAL_MS);
  }

  /**
   * Creates a hidden workspace. Deletes the remains of an earlier import of it first, or waits until another process has done so.
   * Throws a UserError when the database has this workspace, or another one with its name.
   */
  static async create(store: Store, imported: ImportedRow): Promise<HiddenWorkspace> {
    for (;;) {
      const { job, isNew } = await store.write(String(imported.row.id), (scope) =>
        beginImport(scope, imported),
      );
      if (job === undefined) await sleep(TAKE_OVER_INTERVAL_MS);
      else if (isNew) return new HiddenWorkspace(store, job, imported);
      else await deleteRows(store, job);
    }
  }

  get id(): string {
    return this.#job.workspaceId;
  }

  /** Writes rows in a transaction. */
  async write(run: (db: Db) => Promise<void>): Promise<void> {
    await this.#write(({ db }) => run(db));
    await sleep(PAUSE_MS);
  }

  /** Writes the last rows, and shows the workspace, in one transaction. */
  async publish(run: (db: Db) => Promise<void>): Promise<void> {
    await this.#write(async (scope) => {
      const name = await checkName(scope, this.#imported);
      await run(scope.db);
      await setWorkspaceName(scope, name);
      await deleteJob(scope, this.#job.id);
    });
    clearInterval(this.#renewal);
  }

  /** Deletes the workspace. If that fails, the service deletes it. */
  async discard(): Promise<void> {
    clearInterval(this.#renewal);
    await deleteRows(this.#store, this.#job).catch(() => {});
  }

  #write(run: (scope: StorageScope) => Promise<void>): Promise<void> {
    return this.#store.write(this.#job.workspaceId, async (scope) => {
      const isOwner = await renewLease(scope, this.#job);
      if (!isOwner)
        throw new UserError("The import has paused for too long and was rolled back. Run it again.");
      await run(scope);
    });
  }
}

/** Inserts a workspace and its job, or takes over the job that deletes the remains of one, unless another process runs it. */
async function beginImport(
  scope: StorageScope,
  imported: ImportedRow,
): Promise<{ readonly job: Job | undefined; readonly isNew: boolean }> {
  await checkName(scope, imported);
  const { db, workspaceId } = scope;
  const existing = await db
    .selectFrom("workspaces")
    .select("name")
    .where("id", "=", workspaceId)
    .executeTakeFirst();
  if (existing === undefined) {
    await buildInsert("workspaces", [{ ...imported.row, name: workspaceId }]).execute(db);
    return { job: await insertJob(scope, { kind: "import_workspace", objectId: workspaceId }), isNew: true };
  }
  if (existing.name !== workspaceId) {
    const name = JSON.stringify(existing.name);
    throw createLineError(imported.line, `this workspace exists already: ${name} (${workspaceId}).`);
  }
  const deletion = await findWorkspaceDeletion(scope);
  return { job: deletion && (await takeOverJob(scope, deletion)), isNew: false };
}

/** Returns the name of an imported workspace. Throws a UserError when another workspace has it. */
async function checkName({ db, workspaceId }: StorageScope, { row, line }: ImportedRow): Promise<string> {
  const name = String(row.name);
  const other = await findWorkspaceByName(db, name);
  if (other === undefined || other.id === workspaceId) return name;
  throw createLineError(
    line,
    `another workspace has this name: ${JSON.stringify(name)} (${other.id}). Rename it with \`page-service workspaces rename\`.`,
  );
}

async function deleteRows(store: Store, job: Job): Promise<void> {
  const deleteNext = async (scope: StorageScope) =>
    !(await renewLease(scope, job)) || (await deleteWorkspaceRows(scope)).isDeleted;
  while (!(await store.write(job.workspaceId, deleteNext))) await sleep(PAUSE_MS);
}
