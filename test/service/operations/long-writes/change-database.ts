/*
 * A process of its own for tests: `change-database.ts LOCATION WORKSPACE DATABASE JSON` sends one update of a database
 * to the use case.
 */
import { runWrite } from "../../../../src/operations/jobs/run-write.js";
import { Scopes } from "../../../../src/operations/scope.js";
import { updateDatabase } from "../../../../src/operations/update-database.js";
import { openStore } from "../../../../src/storage/engine/store.js";
import { testPrincipal, URLS } from "../../../support/scope.js";

const [location, workspaceId, databaseId, input] = process.argv.slice(2);
if (!location || !workspaceId || !databaseId || !input) throw new Error("An argument is missing.");
const store = await openStore(location);
await runWrite(store, new Scopes(store, URLS), testPrincipal(workspaceId), (scope) =>
  updateDatabase(scope, databaseId, JSON.parse(input)),
);
await store.close();
