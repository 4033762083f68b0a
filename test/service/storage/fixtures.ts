import { type ParsedBlock, createBlocks } from "../../../src/domain/blocks/block.js";
import { newId } from "../../../src/domain/ids.js";
import { createSchema } from "../../../src/domain/schema.js";
import { createPageObject } from "../../../src/domain/page.js";
import { insertBlocks } from "../../../src/storage/blocks/blocks.js";
import { insertDatabase } from "../../../src/storage/databases/databases.js";
import { insertPage } from "../../../src/storage/pages/pages.js";
import type { Store } from "../../../src/storage/engine/store.js";
import { insertWorkspace } from "../../../src/storage/access/workspaces.js";
import { emptyDatabase, plainProperty } from "../../support/objects.js";

/** The properties of databases of `addDatabase`. */
export const schema = createSchema([
  plainProperty("title", "Title", "title"),
  plainProperty("pnts", "Points", "number"),
]);

/** The author and time of objects, where neither matters. */
export const EDIT = { author: "00000000-0000-4000-8000-000000000000", time: 1 };

/** Adds a workspace with an empty database to a store. */
export async function addDatabase(store: Store) {
  const workspaceId = newId();
  const workspaceName = `Workspace ${workspaceId}`;
  const databaseId = newId();
  await store.writeServiceWide(async (tx) => {
    await insertWorkspace(tx, {
      id: workspaceId,
      name: workspaceName,
      plan: "free",
      customRequestLimit: null,
      createdTime: Date.now(),
    });
    await insertDatabase({ db: tx, workspaceId }, emptyDatabase({ id: databaseId, schema }));
  });
  return { workspaceId, workspaceName, databaseId };
}

/** Adds pages without values to a database in one transaction, which is faster than as many requests. Returns their ids. */
export async function addPages(
  store: Store,
  workspaceId: string,
  databaseId: string,
  count: number,
): Promise<string[]> {
  const edit = { ...EDIT, time: Date.now() };
  const pages = Array.from({ length: count }, () =>
    createPageObject({ type: "database_id", id: databaseId }, {}, {}, edit),
  );
  await store.write(workspaceId, async (scope) => {
    for (const page of pages) await insertPage(scope, page);
  });
  return pages.map(({ id }) => id);
}

/** Adds a page of a database with blocks that are nested in each other. Returns the ids of the blocks, outermost first. */
export async function addNestedBlocks(
  store: Store,
  workspaceId: string,
  databaseId: string,
  levels: number,
): Promise<{ pageId: string; blockIds: string[] }> {
  const page = createPageObject({ type: "database_id", id: databaseId }, {}, {}, EDIT);
  let tree: ParsedBlock | undefined;
  for (let level = 0; level < levels; level += 1) {
    const content = { rich_text: [], color: "default" };
    tree = { type: "toggle", content, children: tree === undefined ? [] : [tree] };
  }
  const trees = tree === undefined ? [] : [tree];
  const blocks = createBlocks(trees, { type: "page_id", id: page.id }, page.id, EDIT);
  await store.write(workspaceId, async (scope) => {
    await insertPage(scope, page);
    await insertBlocks(scope, page.id, blocks, undefined);
  });
  const blockIds: string[] = [];
  for (let level = blocks; level[0] !== undefined; level = [...level[0].children])
    blockIds.push(level[0].block.id);
  return { pageId: page.id, blockIds };
}
