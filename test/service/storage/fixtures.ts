import { newId } from "../../../src/domain/ids.js";
import { makeSchema } from "../../../src/domain/schema.js";
import { insertDatabase } from "../../../src/storage/databases.js";
import type { Store } from "../../../src/storage/engine/store.js";
import { insertWorkspace } from "../../../src/storage/accounts/workspaces.js";
import { emptyDatabase, plainProperty } from "../../support/objects.js";

/** The properties of databases of `addDatabase`. */
export const schema = makeSchema([
  plainProperty("title", "Title", "title"),
  plainProperty("pnts", "Points", "number"),
]);

/** Adds a workspace with an empty database to a store. */
export async function addDatabase(store: Store): Promise<{ workspaceId: string; databaseId: string }> {
  const workspaceId = newId();
  const databaseId = newId();
  await store.write(async (tx) => {
    await insertWorkspace(tx, {
      id: workspaceId,
      name: workspaceId,
      plan: "free",
      customRequestLimit: null,
      createdTime: Date.now(),
    });
    await insertDatabase(tx, workspaceId, emptyDatabase({ id: databaseId, schema }));
  });
  return { workspaceId, databaseId };
}
