/*
 * A process of its own for tests: `delete-workspace.ts LOCATION NAME` deletes a workspace, and is killed after the first
 * transaction that deletes rows.
 */
import { startWorkspaceDeletion } from "../../../../src/access/workspaces.js";
import { finishWorkspaceDeletion } from "../../../../src/operations/jobs/workspace-deletion.js";
import { openStore } from "../../../../src/storage/engine/store.js";

const [location, name] = process.argv.slice(2);
if (!location || !name) throw new Error("An argument is missing.");
const store = await openStore(location);
// Each reading of the clock takes 10 ms, so that the time of a transaction ends before it has deleted all rows.
let now = 0;
performance.now = () => (now += 10);
const { job } = await startWorkspaceDeletion(store, name);
let transactions = -1;
await finishWorkspaceDeletion(store, job, () => {
  transactions += 1;
  if (transactions === 1) process.kill(process.pid, "SIGKILL");
  return false;
});
