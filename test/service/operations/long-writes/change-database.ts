/*
 * Runs the use case for one update of a database, and kills its process after the transaction in which the job passes
 * KILLED_AFTER pages: `change-database.ts LOCATION WORKSPACE DATABASE JSON`.
 */
import { updateDatabase } from "../../../../src/operations/update-database.js";
import { openStore } from "../../../../src/storage/engine/open-store.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import { runUseCaseWithJobs } from "../../../support/scope.js";

const KILLED_AFTER = 500;

const [location, workspaceId, databaseId, input] = process.argv.slice(2);
if (!location || !workspaceId || !databaseId || !input) throw new Error("An argument is missing.");
const store = await openStore(location);
const killedStore: Store = {
  ...store,
  async write(workspace, job) {
    const result = await store.write(workspace, job);
    const stored = await store.read.selectFrom("jobs").select("done_count").executeTakeFirst();
    if ((stored?.done_count ?? 0) > KILLED_AFTER) process.kill(process.pid, "SIGKILL");
    return result;
  },
};
await runUseCaseWithJobs(killedStore, workspaceId, (scope) =>
  updateDatabase(scope, databaseId, JSON.parse(input)),
);
