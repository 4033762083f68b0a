import type { components } from "../../generated/types.js";
import { decodeCursor, encodeCursor } from "../domain/cursor.js";
import { cursorType, resultName } from "../domain/query/position.js";
import type { Sort } from "../domain/query/sort.js";
import { TITLE_SCHEMA } from "../domain/schema.js";
import { findDatabases } from "../storage/databases.js";
import { findPages } from "../storage/pages.js";
import { type FoundObject, searchTitles } from "../storage/query/search.js";
import { cutList, type ListRange, type ListResult } from "./list.js";
import { type DatabaseBody, presentDatabases } from "./present/database.js";
import { type PageBody, presentPages } from "./present/page.js";
import { takeFitting } from "./response-size.js";
import type { ReadScope } from "./scope.js";

/**
 * Finds pages and databases by the words of their titles, in the order of their last edit.
 *
 * @throws DomainError (validation) when the cursor does not continue this search
 */
export async function search(
  scope: ReadScope,
  input: Pick<components["schemas"]["SearchBody"], "query" | "filter" | "sort">,
  { cursor, size }: ListRange,
): Promise<ListResult<PageBody | DatabaseBody>> {
  const descending = input.sort?.direction !== "ascending";
  const sort: Sort = { key: { kind: "time", column: "last_edited_time" }, descending };
  const name = resultName("search", [sort]);
  const [id, time] = cursor === undefined ? [] : decodeCursor(name, cursor, ["id", cursorType(sort.key)]);
  const found = await searchTitles(scope, {
    text: input.query ?? "",
    only: input.filter?.value,
    descending,
    after: id === undefined ? undefined : { id, lastEditedTime: Number(time) },
    limit: size + 1,
  });
  const cursorAfter = (last: (typeof found)[number]): string =>
    encodeCursor(name, [last.id, last.lastEditedTime]);
  const { results: objects, nextCursor } = cutList(found, size, cursorAfter);
  const bodies = await presentFound(scope, objects);
  const results = takeFitting(bodies);
  if (results.length === bodies.length) return { results, nextCursor };
  const last = objects.find(({ id }) => id === results.at(-1)?.id);
  return { results, nextCursor: last === undefined ? null : cursorAfter(last) };
}

/** Converts pages and databases to response bodies, in the given order. */
async function presentFound(
  scope: ReadScope,
  found: readonly FoundObject[],
): Promise<(PageBody | DatabaseBody)[]> {
  const { db, workspaceId } = scope;
  const idsOf = (object: FoundObject["object"]): string[] =>
    found.flatMap((each) => (each.object === object ? [each.id] : []));
  const pages = (await findPages(db, workspaceId, idsOf("page"))).map(({ page }) => page);
  const parentIds = pages.flatMap(({ parent }) => (parent.type === "database_id" ? [parent.id] : []));
  const databaseIds = idsOf("database");
  const databases = new Map(
    (await findDatabases(db, workspaceId, [...new Set([...databaseIds, ...parentIds])])).map((each) => [
      each.id,
      each,
    ]),
  );
  const pageBodies = await presentPages(
    scope,
    pages.map((page) => {
      const schema = page.parent.type === "database_id" ? databases.get(page.parent.id)?.schema : undefined;
      return { page, schema: schema ?? TITLE_SCHEMA };
    }),
  );
  const databaseBodies = await presentDatabases(
    scope,
    databaseIds.flatMap((id) => databases.get(id) ?? []),
  );
  const bodies = new Map([...pageBodies, ...databaseBodies].map((body) => [body.id, body]));
  return found.flatMap(({ id }) => bodies.get(id) ?? []);
}
