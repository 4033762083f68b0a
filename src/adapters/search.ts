import type { SearchHandlers } from "../../generated/routes.js";
import { TITLE_SCHEMA } from "../domain/schema.js";
import { findDatabases } from "../storage/databases.js";
import { readPages } from "../storage/pages.js";
import { search, type FoundObject } from "../storage/query/search.js";
import { loadRelated } from "../storage/schema-changes.js";
import type { Store } from "../storage/store.js";
import type { Context, SuppliedHeaders } from "./context.js";
import { renderPages, type PageBody, type Viewer } from "./page-view.js";
import { pageWanted } from "./paging.js";
import { relatedTo, renderDatabase } from "./render-database.js";

/**
 * The search.
 *
 * @param appUrl address of the web application, which the addresses of pages and databases begin with
 */
export function searchHandlers(store: Store, appUrl: string): SearchHandlers<Context, SuppliedHeaders> {
  return {
    async search({ body = {} }, { principal, requestId }) {
      const { cursor, size } = pageWanted(body);
      const { found, nextCursor } = await search(store, principal.workspaceId, {
        text: body.query ?? "",
        only: body.filter?.value,
        descending: body.sort?.direction !== "ascending",
        cursor,
        pageSize: size,
      });
      return {
        status: 200,
        body: {
          object: "list",
          results: await show(store, { ...principal, appUrl }, found),
          next_cursor: nextCursor,
          has_more: nextCursor !== null,
          type: "page_or_database",
          page_or_database: {},
          request_id: requestId,
        },
      };
    },
  };
}

type Body = PageBody | ReturnType<typeof renderDatabase>;

/** The bodies of what was found, in its order. */
async function show(store: Store, viewer: Viewer, found: readonly FoundObject[]): Promise<Body[]> {
  const { workspaceId, appUrl } = viewer;
  const idsOf = (object: FoundObject["object"]): string[] =>
    found.flatMap((each) => (each.object === object ? [each.id] : []));
  const pages = await readPages(store.read, workspaceId, idsOf("page"));
  const parents = pages.flatMap(({ parent }) => (parent.type === "database_id" ? [parent.id] : []));
  const databaseIds = idsOf("database");
  const databases = await findDatabases(store.read, workspaceId, [...new Set([...databaseIds, ...parents])]);
  const byId = new Map(databases.map((database) => [database.id, database]));
  const pageBodies = await renderPages(
    store.read,
    viewer,
    pages.map((page) => {
      const schema = page.parent.type === "database_id" ? byId.get(page.parent.id)?.schema : undefined;
      return { page, schema: schema ?? TITLE_SCHEMA };
    }),
  );
  const shown = databaseIds.flatMap((id) => byId.get(id) ?? []);
  const related = await loadRelated(store.read, workspaceId, [
    ...new Set(shown.flatMap(({ schema }) => relatedTo(schema))),
  ]);
  const bodies = new Map<string, Body>(pageBodies.map((body) => [body.id, body]));
  for (const database of shown) bodies.set(database.id, renderDatabase(database, related, appUrl));
  return found.flatMap(({ id }) => bodies.get(id) ?? []);
}
