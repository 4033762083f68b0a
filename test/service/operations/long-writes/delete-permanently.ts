/*
 * Deletes a database of the trash permanently, and kills its process after the first batch of the job:
 * `delete-permanently.ts LOCATION WORKSPACE DATABASE`.
 */
import { deletePermanently } from "../../../../src/operations/delete-permanently.js";
import { runDueJobs } from "../../../../src/operations/jobs/run-due-jobs.js";
import { openStore } from "../../../../src/storage/engine/open-store.js";
import { runUseCaseWithJobs } from "../../../support/scope.js";

const [location, workspaceId, databaseId] = process.argv.slice(2);
if (!location || !workspaceId || !databaseId) throw new Error("An argument is missing.");
const store = await openStore(location);
const actor = { type: "account", id: null, name: "Ada" } as const;
await runUseCaseWithJobs(store, workspaceId, (scope) => deletePermanently(scope, databaseId, actor));
let batches = -1;
await runDueJobs(store, {
  isForeground: false,
  isStopped() {
    batches += 1;
    // The first call belongs to the list of jobs, and the second one to the first batch.
    if (batches === 2) process.kill(process.pid, "SIGKILL");
    return false;
  },
  onError(error) {
    throw error;
  },
});
