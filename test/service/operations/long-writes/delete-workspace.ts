/* A process of its own for tests: `delete-workspace.ts LOCATION NAME` deletes a workspace. */
import { startWorkspaceDeletion } from "../../../../src/access/workspaces.js";
import { finishWorkspaceDeletion } from "../../../../src/operations/jobs/workspace-deletion.js";
import { openStore } from "../../../../src/storage/engine/store.js";

const [location, name] = process.argv.slice(2);
if (!location || !name) throw new Error("An argument is missing.");
const store = await openStore(location);
const { job } = await startWorkspaceDeletion(store, name);
await finishWorkspaceDeletion(store, job);
await store.close();
