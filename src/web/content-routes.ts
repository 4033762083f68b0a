import {
  MAX_PAGE_SIZE,
  MAX_SEARCH_LENGTH,
  MAX_TABLE_CELLS,
  MAX_START_PAGE_OBJECTS,
  MAX_LISTED_OBJECTS,
} from "../budgets.js";
import { DomainError } from "../domain/errors.js";
import { formatBareId, normalizeId } from "../domain/ids.js";
import { truncate } from "../domain/text.js";
import { findBlockLocation } from "../operations/views/find-block-location.js";
import { requireObject } from "../operations/load/blocks.js";
import { requireDatabase } from "../operations/load/pages-and-databases.js";
import { findParentTitles } from "../operations/views/linked-titles.js";
import { presentDatabase } from "../operations/present/database.js";
import type { ReadScope } from "../operations/scope.js";
import { search } from "../operations/search.js";
import { type DatabaseView, viewDatabase } from "../operations/views/view-database.js";
import { viewPage } from "../operations/views/view-page.js";
import { renderDatabasePage } from "./pages/workspace/database.js";
import type { Database, Page } from "./pages/workspace/object-list.js";
import { renderContentPage } from "./pages/workspace/page.js";
import { renderSearchPage } from "./pages/workspace/search.js";
import { buildFilter, parseTableView, type TableView } from "./pages/workspace/table-view.js";
import { renderWorkspacePage } from "./pages/workspace/workspace.js";
import { getPartPath } from "./render/links.js";
import { createContentPage, type SignedInRequest, withReadScope } from "./request.js";
import { createRedirect, type WebResponse } from "./response.js";

/** Handlers of the pages, databases and search of a workspace, with the same operations as the API. */
export const contentHandlers = {
  showWorkspace: withReadScope(async (request, scope) => {
    const { baseUrl } = request.context;
    const pagination = { size: MAX_START_PAGE_OBJECTS };
    const newest = { direction: "descending", timestamp: "last_edited_time" } as const;
    const [databases, pages] = await Promise.all([
      search(scope, { filter: { property: "object", value: "database" }, sort: newest }, pagination),
      search(scope, { filter: { property: "object", value: "page" }, sort: newest }, pagination),
    ]);
    const content = {
      baseUrl,
      // The casts: each search was for one kind of object.
      databases: databases.results as Database[],
      pages: pages.results as Page[],
      parentTitles: await findParentTitles(scope, [...databases.results, ...pages.results]),
    };
    return createContentPage(request, (pageContext) => renderWorkspacePage(content, pageContext));
  }),

  showObject: withReadScope(async (request, scope) => {
    // A path without an id does not match the route.
    const id = normalizeId(request.param);
    const { kind } = await requireObject(scope, id);
    if (kind === "database") return showDatabase(request, scope, id);
    if (kind === "page") return showPage(request, scope, id);
    const location = await findBlockLocation(scope, id);
    return createRedirect(`${getPartPath(location)}#${formatBareId(id)}`);
  }),

  showSearch: withReadScope(async (request, scope) => {
    const query = truncate(request.query.get("q")?.trim() ?? "", MAX_SEARCH_LENGTH);
    const cursor = request.query.get("cursor") ?? undefined;
    const list = await search(scope, { query }, { size: MAX_LISTED_OBJECTS, cursor });
    const content = { query, ...list, parentTitles: await findParentTitles(scope, list.results) };
    return createContentPage(request, (pageContext) => renderSearchPage(content, pageContext));
  }),
};

/** Shows a content page with its blocks and comments from their cursors on. */
async function showPage(request: SignedInRequest, scope: ReadScope, id: string): Promise<WebResponse> {
  const cursors = {
    blocks: request.query.get("cursor") ?? undefined,
    comments: request.query.get("comments") ?? undefined,
  };
  const view = await viewPage(scope, id, cursors);
  return createContentPage(request, (pageContext, budget) =>
    renderContentPage({ ...view, cursors, budget }, pageContext),
  );
}

/** Shows a database as a table. Invalid filters, sorts and cursors are ignored with a notice and status 400. */
async function showDatabase(request: SignedInRequest, scope: ReadScope, id: string): Promise<WebResponse> {
  const stored = await requireDatabase(scope, id);
  const database = await presentDatabase(scope, stored);
  const { databaseView, ...shown } = await viewTable(scope, stored, database, parseTableView(request.query));
  return createContentPage(
    request,
    (pageContext, budget) => renderDatabasePage({ ...databaseView, ...shown, database, budget }, pageContext),
    shown.problem === undefined ? 200 : 400,
  );
}

/** Reads the rows of a table. Ignores a part of the view that does not fit the database; `problem` says which. */
async function viewTable(
  scope: ReadScope,
  stored: Parameters<typeof viewDatabase>[1],
  database: Database,
  view: TableView,
): Promise<{ databaseView: DatabaseView; view: TableView; problem: string | undefined }> {
  const { filter, problem } = buildFilter(view, database);
  const query = { sorts: view.sort === undefined ? [] : [view.sort], ...(filter && { filter }) };
  const size = Math.min(MAX_PAGE_SIZE, Math.floor(MAX_TABLE_CELLS / Object.keys(database.properties).length));
  try {
    return {
      databaseView: await viewDatabase(scope, stored, query, { size, cursor: view.cursor }),
      view,
      problem,
    };
  } catch (error) {
    if (!(error instanceof DomainError && error.kind === "validation")) throw error;
    const isCursorRefused = view.cursor !== undefined;
    const { sort, filter } = isCursorRefused ? view : {};
    const shown = await viewTable(scope, stored, database, { ...view, sort, filter, cursor: undefined });
    const reason = isCursorRefused
      ? "The address of this part of the table is not valid. Showing the table from its beginning."
      : "This address does not fit the database. Showing the table without sort or filter.";
    return { ...shown, problem: shown.problem ?? reason };
  }
}
