import { findMemberPrincipal } from "../access/members.js";
import { DomainError } from "../domain/errors.js";
import { parseId } from "../domain/ids.js";
import { runWrite } from "../operations/jobs/run-write.js";
import { listTrash } from "../operations/list-trash.js";
import { requireBlock } from "../operations/load/blocks.js";
import { restoreObject } from "../operations/restore-object.js";
import { retrieveDatabase } from "../operations/retrieve-database.js";
import type { ReadScope, Scopes } from "../operations/scope.js";
import { search } from "../operations/search.js";
import { viewDatabase } from "../operations/view-database.js";
import { viewPage } from "../operations/view-page.js";
import { type RenderBudget, renderInTime } from "./content/budget.js";
import { getContentPath } from "./content/links.js";
import { WebRequestError } from "./form.js";
import type { Html } from "./html.js";
import { renderDatabasePage, type DatabaseContent } from "./pages/content/database.js";
import { renderContentPage } from "./pages/content/page.js";
import type { Database, Page } from "./pages/content/parts.js";
import { renderSearchPage } from "./pages/content/search.js";
import { buildFilter, parseTableView, buildSorts } from "./pages/content/table-view.js";
import { renderTrashPage } from "./pages/content/trash.js";
import { renderWorkspacePage } from "./pages/content/workspace.js";
import type { Notice } from "./pages/elements.js";
import type { PageContext } from "./pages/layout.js";
import { loadPageContext, receiveForm, type SignedInRequest, type WebContext } from "./request.js";
import { createContentResponse, createRedirect, type WebResponse } from "./response.js";

/** Number of table rows on one page. */
const TABLE_PAGE_SIZE = 100;
/** Number of list entries on one page. */
const LIST_PAGE_SIZE = 50;
/** Number of databases, and of pages, on the start page. */
const START_PAGE_SIZE = 20;

/** Creates the handlers of the pages that show content. They call the same operations as the API. */
export function createContentRoutes(web: WebContext, scopes: Scopes) {
  /** Wraps a handler so that it waits for its turn, which bounds the pages that are rendered at once. */
  function withTurn(
    handle: (request: SignedInRequest) => Promise<WebResponse>,
  ): (request: SignedInRequest) => Promise<WebResponse> {
    return withErrorPage(async (request) => {
      const release = await web.awaitRenderTurn(request.request, request.session.workspaceId);
      try {
        return await handle(request);
      } finally {
        release();
      }
    });
  }

  /** Creates the scope in which a request reads: the workspace, with the permissions of the signed-in person. */
  async function createReadScope({ session }: SignedInRequest): Promise<ReadScope> {
    return scopes.createReadScope(await findMemberPrincipal(web.store, session));
  }

  /** Renders a page with content within the time limit. */
  async function renderResponse(
    request: SignedInRequest,
    render: (context: PageContext, budget: RenderBudget) => Html,
    status = 200,
  ): Promise<WebResponse> {
    const context = await loadPageContext(web, request);
    return createContentResponse(
      renderInTime((budget) => render(context, budget)),
      status,
    );
  }

  /** Shows a page with its blocks from the cursor on. */
  async function showPage(request: SignedInRequest, scope: ReadScope, id: string): Promise<WebResponse> {
    const cursor = request.query.get("cursor") ?? undefined;
    const { titles, numberFormats, ...view } = await viewPage(scope, id, cursor);
    const { workspaceName } = request.session;
    return renderResponse(request, (page, budget) =>
      renderContentPage({ ...view, workspaceName, rendering: { budget, titles, numberFormats } }, page),
    );
  }

  /** Shows a database as a table. Invalid filters, sorts and cursors are ignored with a notice and status 400. */
  async function showDatabase(request: SignedInRequest, scope: ReadScope, id: string): Promise<WebResponse> {
    const database = await retrieveDatabase(scope, id);
    const view = parseTableView(request.query);
    const filter = buildFilter(view, database);
    const range = { size: TABLE_PAGE_SIZE, cursor: view.cursor };
    let notice: Notice | undefined = typeof filter === "string" ? { kind: "bad", text: filter } : undefined;
    const query = {
      sorts: buildSorts(view),
      ...(filter === undefined || typeof filter === "string" ? {} : { filter }),
    };
    const result = await viewDatabase(scope, database, query, range).catch((error: unknown) => {
      // The query string does not fit the database: shows the table without its sort, filter and cursor.
      if (!(error instanceof DomainError && error.kind === "validation")) throw error;
      notice = { kind: "bad", text: "This address does not fit the database. The table starts anew." };
      return viewDatabase(scope, database, {}, { size: TABLE_PAGE_SIZE });
    });
    const { titles, numberFormats, ...table } = result;
    const content: Omit<DatabaseContent, "rendering"> = {
      ...table,
      database,
      view,
      notice,
      workspaceName: request.session.workspaceName,
    };
    return renderResponse(
      request,
      (page, budget) =>
        renderDatabasePage({ ...content, rendering: { budget, titles, numberFormats } }, page),
      notice === undefined ? 200 : 400,
    );
  }

  return {
    showWorkspace: withTurn(async (request) => {
      const scope = await createReadScope(request);
      const range = { size: START_PAGE_SIZE };
      const newest = { direction: "descending", timestamp: "last_edited_time" } as const;
      const [databases, pages] = await Promise.all([
        search(scope, { filter: { property: "object", value: "database" }, sort: newest }, range),
        search(scope, { filter: { property: "object", value: "page" }, sort: newest }, range),
      ]);
      const content = {
        workspaceName: request.session.workspaceName,
        // The casts: each search was for one kind of object.
        databases: databases.results as Database[],
        pages: pages.results as Page[],
      };
      return renderResponse(request, (page) => renderWorkspacePage(content, page));
    }),

    showObject: withTurn(async (request) => {
      const id = parseId(request.param);
      if (id === undefined) throw createNotFoundError();
      const scope = await createReadScope(request);
      const object = await requireBlock(scope, id);
      if (object.type === "child_database") return showDatabase(request, scope, id);
      if (object.type === "child_page") return showPage(request, scope, id);
      return createRedirect(`${getContentPath(object.pageId)}#b${id}`);
    }),

    showSearch: withTurn(async (request) => {
      const query = request.query.get("q")?.trim() ?? "";
      const cursor = request.query.get("cursor") ?? undefined;
      const scope = await createReadScope(request);
      const { results, nextCursor } = await search(scope, { query }, { size: LIST_PAGE_SIZE, cursor });
      return renderResponse(request, (page) => renderSearchPage({ query, results, nextCursor }, page));
    }),

    showTrash: withTurn(async (request) => {
      const cursor = request.query.get("cursor") ?? undefined;
      const { results, nextCursor } = await listTrash(await createReadScope(request), {
        size: LIST_PAGE_SIZE,
        cursor,
      });
      const { csrfToken } = request.session;
      return renderResponse(request, (page) =>
        renderTrashPage({ objects: results, nextCursor, csrfToken }, page),
      );
    }),

    restore: withErrorPage(async (request) => {
      await receiveForm(web, request);
      const id = parseId(request.param);
      if (id === undefined) throw createNotFoundError();
      const principal = await findMemberPrincipal(web.store, request.session);
      await runWrite(web.store, scopes, principal, (scope) => restoreObject(scope, id));
      return createRedirect(getContentPath(id));
    }, "The page or database that contains it is in the trash too. Restore that first."),
  };
}

function createNotFoundError(): WebRequestError {
  return new WebRequestError(
    404,
    "This workspace has no page or database at this address. It can have been deleted, or be in another workspace.",
  );
}

/** Wraps a handler so that the page of an error explains it: an object that does not exist, or invalid input. */
function withErrorPage(
  handle: (request: SignedInRequest) => Promise<WebResponse>,
  invalidMessage = "This address does not continue the list. Start again at its beginning.",
): (request: SignedInRequest) => Promise<WebResponse> {
  return (request) =>
    handle(request).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      if (error.kind === "not_found") throw createNotFoundError();
      if (error.kind === "validation") throw new WebRequestError(400, invalidMessage);
      throw error;
    });
}
