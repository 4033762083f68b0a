import { newId } from "../../src/domain/ids.js";
import type { Page } from "../../src/domain/page.js";
import { makeSchema } from "../../src/domain/schema.js";
import { insertDatabase } from "../../src/storage/databases.js";
import type { Store } from "../../src/storage/store.js";
import { insertWorkspace } from "../../src/storage/workspaces.js";

/** The properties of the databases that `addDatabase` makes. */
export const schema = makeSchema([
  { id: "title", name: "Title", type: "title" },
  { id: "pnts", name: "Points", type: "number" },
]);

/** Puts a workspace with an empty database into a store. */
export async function addDatabase(store: Store): Promise<{ workspaceId: string; databaseId: string }> {
  const workspaceId = newId();
  const databaseId = newId();
  await store.write(async (tx) => {
    await insertWorkspace(tx, {
      id: workspaceId,
      name: workspaceId,
      plan: "free",
      ownLimit: null,
      createdTime: Date.now(),
    });
    await insertDatabase(tx, workspaceId, {
      id: databaseId,
      title: [],
      schema,
      createdTime: Date.now(),
      lastEditedTime: Date.now(),
      createdBy: workspaceId,
      lastEditedBy: workspaceId,
    });
  });
  return { workspaceId, databaseId };
}

/** A page without properties. */
export function emptyPage(databaseId: string): Page {
  const now = Date.now();
  return {
    id: newId(),
    databaseId,
    createdTime: now,
    lastEditedTime: now,
    createdBy: databaseId,
    lastEditedBy: databaseId,
    icon: null,
    cover: null,
    inTrash: false,
    properties: {},
  };
}
