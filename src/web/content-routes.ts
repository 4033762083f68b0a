import {
  MAX_RESULTS,
  MAX_SEARCH_LENGTH,
  MAX_TABLE_CELLS,
  MAX_START_PAGE_OBJECTS,
  MAX_LISTED_OBJECTS,
} from "../budgets.js";
import { formatBareId, normalizeId } from "../domain/ids.js";
import type { StoredObject } from "../domain/stored-object.js";
import { truncate } from "../domain/text.js";
import { requireObject } from "../operations/load/blocks.js";
import { requireDatabase } from "../operations/load/pages-and-databases.js";
import { listObjects } from "../operations/views/list-objects.js";
import { findBlockLocation } from "../operations/views/page-part.js";
import { presentDatabase } from "../operations/present/database.js";
import type { ReadScope } from "../operations/execution/scope.js";
import { viewDatabase } from "../operations/views/view-database.js";
import { viewPage } from "../operations/views/view-page.js";
import { findNotice } from "./notices.js";
import { renderDatabasePage } from "./pages/workspace/database.js";
import { renderPage } from "./pages/workspace/page.js";
import { renderSearchPage } from "./pages/workspace/search.js";
import { listColumns, parseTableParameters, restrictColumns } from "./table/table-parameters.js";
import { loadTableQuery } from "./table/table-query.js";
import { renderWorkspacePage } from "./pages/workspace/workspace.js";
import { getPartPath } from "./render/links.js";
import { createContentPage, type SignedInRequest, withReadScope } from "./request.js";
import { createRedirect, type WebResponse } from "./response.js";

/** Handlers of the pages, databases and search of a workspace, with the same operations as the API. */
export const contentHandlers = {
  showWorkspace: withReadScope(async (request, scope) => {
    const { baseUrl } = request.context;
    const pagination = { size: MAX_START_PAGE_OBJECTS };
    const [databases, pages] = await Promise.all([
      listObjects(scope, { filter: { property: "object", value: "database" } }, pagination),
      listObjects(scope, { filter: { property: "object", value: "page" } }, pagination),
    ]);
    const content = { baseUrl, databases: databases.results, pages: pages.results };
    return createContentPage(request, (layoutData) => renderWorkspacePage(content, layoutData));
  }),

  showObject: withReadScope(async (request, scope) => {
    // A path without an id does not match the route.
    const id = normalizeId(request.param);
    const object = await requireObject(scope, id);
    if (object.kind === "database") return showDatabase(request, scope, id);
    if (object.kind === "page") return showPage(request, scope, object);
    const location = await findBlockLocation(scope, id);
    return createRedirect(`${getPartPath(location)}#${formatBareId(id)}`);
  }),

  showSearch: withReadScope(async (request, scope) => {
    const query = truncate(request.query.get("q")?.trim() ?? "", MAX_SEARCH_LENGTH);
    const cursor = request.query.get("cursor") ?? undefined;
    const list = await listObjects(scope, { query }, { size: MAX_LISTED_OBJECTS, cursor });
    return createContentPage(request, (layoutData) => renderSearchPage({ query, ...list }, layoutData));
  }),
};

async function showPage(
  request: SignedInRequest,
  scope: ReadScope,
  page: Pick<StoredObject, "id" | "parent">,
): Promise<WebResponse> {
  const cursors = {
    blocks: request.query.get("cursor") ?? undefined,
    comments: request.query.get("comments") ?? undefined,
  };
  const view = await viewPage(scope, page, cursors);
  return createContentPage(request, (layoutData, budget) =>
    renderPage({ ...view, cursors, notice: findNotice(request.query), budget }, layoutData),
  );
}

/** Shows a database as a table. Ignores a filter or sort that does not fit the database, with a message and status 400. */
async function showDatabase(request: SignedInRequest, scope: ReadScope, id: string): Promise<WebResponse> {
  const stored = await requireDatabase(scope, id);
  const database = await presentDatabase(scope, stored);
  const parameters = restrictColumns(parseTableParameters(request.query), database);
  const { users, sortProblem, filterProblem, ...query } = await loadTableQuery(scope, parameters, database);
  const size = Math.min(MAX_RESULTS, Math.floor(MAX_TABLE_CELLS / listColumns(database).length));
  const view = await viewDatabase(scope, stored, query, { size, cursor: parameters.position?.cursor });
  const notice =
    sortProblem === undefined ? findNotice(request.query) : ({ kind: "bad", text: sortProblem } as const);
  const content = { ...view, parameters, users, notice, filterProblem, database };
  return createContentPage(
    request,
    (layoutData, budget) => renderDatabasePage({ ...content, budget }, layoutData),
    sortProblem === undefined && filterProblem === undefined ? 200 : 400,
  );
}
