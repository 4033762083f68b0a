/*
 * Deletes a workspace, and kills its process after the first transaction that deletes rows: `delete-workspace.ts LOCATION
 * NAME`.
 */
import { startWorkspaceDeletion } from "../../../../src/access/workspaces/workspaces.js";
import { runJob } from "../../../../src/operations/jobs/run-job.js";
import { openStore } from "../../../../src/storage/engine/open-store.js";

const [location, name] = process.argv.slice(2);
if (!location || !name) throw new Error("An argument is missing.");
const store = await openStore(location);
// A clock that advances 10 ms per reading, so that a transaction reaches its time limit before it has deleted all rows.
let now = 0;
performance.now = () => (now += 10);
const { job } = await startWorkspaceDeletion(store, name);
let transactions = -1;
await runJob(store, job, {
  isStopped() {
    transactions += 1;
    if (transactions === 1) process.kill(process.pid, "SIGKILL");
    return false;
  },
});
