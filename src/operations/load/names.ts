import { findTitles } from "../../storage/titles.js";
import { findUsers } from "../../storage/users.js";
import type { PageBody } from "../present/page.js";
import type { Scope } from "../scope.js";
import type { BlockTree } from "./block-tree.js";

/** Reads the names of users by their ids; removed users are skipped. */
export async function findUserNames(
  { db, workspaceId }: Scope,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const users = await findUsers(db, workspaceId, [...new Set(ids)]);
  return new Map(users.map(({ id, name }) => [id, name]));
}

/** Reads the titles of the pages and databases that properties and blocks link to, by id. */
export async function findLinkedTitles(
  { db, workspaceId }: Scope,
  pages: readonly PageBody[],
  blocks: readonly BlockTree[] = [],
): Promise<ReadonlyMap<string, string>> {
  const pageIds = new Set(
    pages.flatMap(({ properties }) =>
      Object.values(properties).flatMap((value) =>
        value.type === "relation" ? value.relation.map(({ id }) => id) : [],
      ),
    ),
  );
  const databaseIds = new Set<string>();
  collectLinks(blocks, pageIds, databaseIds);
  const titles = await findTitles(db, workspaceId, { pages: pageIds, databases: databaseIds });
  return new Map([...titles].map(([id, { title }]) => [id, title || "Untitled"]));
}

function collectLinks(blocks: readonly BlockTree[], pages: Set<string>, databases: Set<string>): void {
  for (const { block, children } of blocks) {
    if (block.type === "link_to_page") {
      const target = block.link_to_page;
      if (target.type === "page_id") pages.add(target.page_id);
      else if (target.type === "database_id") databases.add(target.database_id);
    }
    collectLinks(children, pages, databases);
  }
}
