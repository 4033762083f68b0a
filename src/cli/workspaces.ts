import * as access from "../access/workspaces/workspaces.js";
import { describeBytes, describeLimit, getRequestLimit } from "../domain/plans.js";
import { runJob } from "../operations/jobs/run-job.js";
import { findAllJobs, type ListedJob } from "../storage/jobs.js";
import { formatMinute, formatTime, printList, printResult, toJsonLimit } from "./print.js";
import { UserError } from "../errors.js";
import { withNewStore, withStore } from "./with-store.js";

const MAX_LOG_ENTRIES = 1000;

const JOB_TITLES: Record<ListedJob["kind"], string> = {
  convert_values: "converts property values",
  remove_values: "removes old property values",
  add_reverse_links: "adds links to the other side of a relation",
  move_to_trash: "moves to the trash",
  restore: "restores from the trash",
  delete_permanently: "deletes permanently",
  empty_trash: "empties the trash",
  delete_workspace: "deletes the workspace",
  import_workspace: "imports the workspace",
};

/** `page-service workspaces list`: prints all workspaces with their plan and storage. */
export async function listWorkspaces(options: { json?: true }): Promise<void> {
  const workspaces = await withStore(access.listWorkspaces);
  const rows = workspaces.map(({ id, name, plan, customRequestLimit, createdTime, storedBytes }) => ({
    id,
    name,
    plan,
    limit: toJsonLimit(getRequestLimit(plan, customRequestLimit)),
    stored_bytes: storedBytes,
    created: formatTime(createdTime),
  }));
  printList(options.json, rows, "There are no workspaces.", {
    ID: ({ id }) => id,
    NAME: ({ name }) => name,
    PLAN: ({ plan }) => plan,
    REQUESTS: ({ limit }) => (limit === null ? "no limit" : describeLimit(limit)),
    STORED: ({ stored_bytes: bytes }) => describeBytes(bytes),
    "CREATED (UTC)": ({ created }) => formatMinute(created),
  });
}

/** `page-service workspaces create`: creates a workspace. */
export async function createWorkspace(
  name: string,
  options: { plan?: string; limit?: number; json?: true },
): Promise<void> {
  const { plan, limit } = options;
  const { id } = await withNewStore((store) => access.createWorkspace(store, name, plan, limit), options);
  printResult(options.json, { id, name }, [`Created the workspace "${name}" (${id}).`]);
}

/** `page-service workspaces rename`: renames a workspace. */
export async function renameWorkspace(
  nameOrId: string,
  newName: string,
  options: { json?: true },
): Promise<void> {
  const { id } = await withStore((store) => access.renameWorkspace(store, nameOrId, newName));
  printResult(options.json, { id, name: newName }, [`Renamed the workspace "${nameOrId}" to "${newName}".`]);
}

/** `page-service workspaces delete`: deletes a workspace with all its data. */
export async function deleteWorkspace(nameOrId: string, options: { yes?: true; json?: true }): Promise<void> {
  if (!options.yes) {
    const { name } = await withStore((store) => access.requireWorkspace(store.read, nameOrId));
    throw new UserError(
      `This deletes all pages, databases and keys of "${name}". They cannot be restored. Add --yes to confirm.`,
    );
  }
  const { id, name } = await withStore(async (store) => {
    const { workspace, job } = await access.startWorkspaceDeletion(store, nameOrId);
    await runJob(store, job);
    return workspace;
  });
  printResult(options.json, { id, deleted: true }, [`Deleted the workspace "${name}" (${id}).`]);
}

/** `page-service workspaces jobs`: prints the jobs that have not finished. */
export async function printJobs(options: { json?: true }): Promise<void> {
  const rows = (await withStore((store) => findAllJobs(store.read))).map((job) => ({
    workspace: job.workspaceName,
    job: job.kind,
    object_id: job.objectId,
    done: job.doneCount,
    total: job.totalCount,
    started: formatTime(job.createdTime),
  }));
  printList(options.json, rows, "There are no jobs.", {
    WORKSPACE: ({ workspace }) => workspace,
    JOB: ({ job }) => JOB_TITLES[job],
    OBJECT: ({ object_id: id }) => id,
    // Only conversions of values have a total, the number of pages.
    DONE: ({ done, total }) => (total === null ? String(done) : `${done} of ${total} pages`),
    "STARTED (UTC)": ({ started }) => formatMinute(started),
  });
}

/** `page-service workspaces log`: prints the newest entries of the audit log of a workspace. */
export async function printAuditLog(nameOrId: string, options: { json?: true }): Promise<void> {
  const events = await withStore((store) =>
    access.listWorkspaceAuditEvents(store, nameOrId, MAX_LOG_ENTRIES),
  );
  const rows = events.map(({ time, actor, action, subjectId, subjectName, detail }) => ({
    time: formatTime(time),
    actor: actor.name,
    action,
    subject_id: subjectId,
    subject: subjectName,
    detail,
  }));
  printList(options.json, rows, "The log is empty.", {
    "TIME (UTC)": ({ time }) => formatMinute(time),
    BY: ({ actor }) => actor,
    ACTION: ({ action }) => action,
    SUBJECT: ({ subject }) => subject,
    DETAILS: ({ detail }) => detail,
  });
}
