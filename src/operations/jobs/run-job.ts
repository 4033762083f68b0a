import { setTimeout as sleep } from "node:timers/promises";
import type { Release } from "../../queues/fair-queue.js";
import { deleteWorkspaceRows } from "../../storage/delete-workspace-rows.js";
import type { Store } from "../../storage/engine/store.js";
import { type Job, releaseJob } from "../../storage/jobs.js";
import type { JobKind } from "../../storage/tables.js";
import { INTERRUPTED_CONVERSION } from "../conversion/conversion-job.js";
import { ADDING_REVERSE_LINKS } from "./add-reverse-links.js";
import { PERMANENT_DELETION } from "./permanent-deletion.js";
import { commitBatch, type JobHandler } from "./job-handler.js";
import { TRASH_MOVE } from "./trash-move.js";
import { VALUE_REMOVAL } from "./value-removal.js";

const WORKSPACE_DELETION: JobHandler<"continue"> = {
  isForeground: false,
  async runBatch(scope) {
    const { count, isDeleted } = await deleteWorkspaceRows(scope);
    return { doneCount: count, nextState: isDeleted ? null : "continue" };
  },
};

const JOB_HANDLERS: Readonly<Record<JobKind, JobHandler<unknown>>> = {
  convert_values: INTERRUPTED_CONVERSION,
  remove_values: VALUE_REMOVAL,
  add_reverse_links: ADDING_REVERSE_LINKS,
  move_to_trash: TRASH_MOVE,
  restore: TRASH_MOVE,
  delete_permanently: PERMANENT_DELETION,
  empty_trash: PERMANENT_DELETION,
  delete_workspace: WORKSPACE_DELETION,
  // Nothing of an interrupted import is visible, so its rows are deleted.
  import_workspace: WORKSPACE_DELETION,
};

export function listJobKinds({ isForeground }: Pick<JobHandler<unknown>, "isForeground">): JobKind[] {
  // Safe cast: the record has no other keys.
  return (Object.keys(JOB_HANDLERS) as JobKind[]).filter(
    (kind) => JOB_HANDLERS[kind].isForeground === isForeground,
  );
}

export interface RunOptions {
  /** Whether the run should stop before its next batch, so that any process can take the job over. By default, never. */
  isStopped?(): boolean;
  /** Waits until the workspace may run a batch, and returns the function that ends its turn. */
  awaitTurn?(workspaceId: string): Promise<Release>;
}

/** Pause after each batch of a background job, in which other processes can get the lock of a SQLite file. */
const PAUSE_MS = 20;

/** Runs a job in batches, until it is done or stopped, or another process has taken it over. The caller holds its lease. */
export async function runJob(store: Store, job: Job, options: RunOptions = {}): Promise<void> {
  const handler = JOB_HANDLERS[job.kind];
  /** Time after which the run yields to other jobs. */
  let deadline = Infinity;
  let state: unknown;
  while (state !== null) {
    const current = state;
    const endTurn = await options.awaitTurn?.(job.workspaceId);
    try {
      if (options.isStopped?.() === true || performance.now() > deadline) {
        await store.write(job.workspaceId, (scope) => releaseJob(scope, job));
        return;
      }
      const result = await commitBatch(store, job, (scope) => handler.runBatch(scope, job, current));
      if (result === undefined) return;
      state = result.nextState;
      if (result.doneCount > 0)
        deadline = Math.min(deadline, performance.now() + (handler.yieldAfterMs ?? Infinity));
      if (!handler.isForeground) await sleep(PAUSE_MS);
    } finally {
      endTurn?.();
    }
  }
}
