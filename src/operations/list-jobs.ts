import type { Store } from "../storage/engine/store.js";
import { findAllJobs, type ListedJob } from "../storage/jobs.js";

export type { ListedJob };

/** Lists the jobs of all workspaces, oldest first. */
export function listJobs(store: Store): Promise<ListedJob[]> {
  return findAllJobs(store.read);
}
