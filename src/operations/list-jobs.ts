import { listJobs as listStoredJobs, type Job } from "../storage/jobs.js";
import type { Store } from "../storage/engine/store.js";

/** A job with the name of its workspace. */
export type ListedJob = Pick<Job, "id" | "kind" | "objectId" | "done" | "total" | "createdTime"> & {
  readonly workspaceName: string;
};

/** Lists the jobs of all workspaces, oldest first. */
export function listJobs(store: Store): Promise<ListedJob[]> {
  return listStoredJobs(store.read);
}
