import { listJobs as listStoredJobs, type Job } from "../storage/jobs.js";
import type { Store } from "../storage/engine/store.js";

/** A job and the workspace that it changes. */
export type ListedJob = Pick<Job, "id" | "kind" | "objectId" | "done" | "total" | "createdTime"> & {
  readonly workspaceName: string;
};

/** Lists the changes of all workspaces that are made piece by piece, oldest first. */
export function listJobs(store: Store): Promise<ListedJob[]> {
  return listStoredJobs(store.read);
}
