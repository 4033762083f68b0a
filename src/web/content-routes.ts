import { memberPrincipal } from "../access/members.js";
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
import { RenderBudget } from "./content/budget.js";
import { contentPath } from "./content/links.js";
import { numberFormatsOf } from "./content/number.js";
import { RequestRefused } from "./form.js";
import type { Html } from "./html.js";
import { databasePage, type DatabaseContent } from "./pages/content/database.js";
import { contentPage } from "./pages/content/page.js";
import type { Database, Page } from "./pages/content/parts.js";
import { searchPage } from "./pages/content/search.js";
import { buildFilter, parseTableView, buildSorts } from "./pages/content/table-view.js";
import { trashPage } from "./pages/content/trash.js";
import { workspacePage } from "./pages/content/workspace.js";
import type { Notice, PageContext } from "./pages/layout.js";
import { loadPageContext, receiveForm, type SignedInRequest, type WebContext } from "./request.js";
import { contentResponse, redirect, type WebResponse } from "./response.js";

/** Number of table rows on one page. */
const TABLE_ROWS = 100;
/** Number of list entries on one page. */
const LIST_ENTRIES = 50;
/** Number of databases, and of pages, on the start page. */
const START_ENTRIES = 20;

/** Handlers of the pages that show the content of a workspace to its members. */
export interface ContentRoutes {
  /** Lists the databases and the pages that were edited last. */
  showWorkspace(request: SignedInRequest): Promise<WebResponse>;
  /** Shows the page or database with the id in the path. */
  showObject(request: SignedInRequest): Promise<WebResponse>;
  showSearch(request: SignedInRequest): Promise<WebResponse>;
  showTrash(request: SignedInRequest): Promise<WebResponse>;
  restore(request: SignedInRequest): Promise<WebResponse>;
}

/** Creates the handlers of the pages that show content. They call the same use cases as the API. */
export function createContentRoutes(web: WebContext, scopes: Scopes): ContentRoutes {
  async function readScope({ session }: SignedInRequest): Promise<ReadScope> {
    return scopes.read(await memberPrincipal(web.store, session));
  }

  async function respond(
    request: SignedInRequest,
    render: (context: PageContext) => Html,
    status = 200,
  ): Promise<WebResponse> {
    return contentResponse(render(await loadPageContext(web, request)), status);
  }

  async function showPage(request: SignedInRequest, scope: ReadScope, id: string): Promise<WebResponse> {
    const { titles, ...view } = await viewPage(scope, id, request.query.get("cursor") ?? undefined);
    const { workspaceName } = request.session;
    const { parent } = view.page;
    const properties =
      parent.type === "database_id" ? (await retrieveDatabase(scope, parent.database_id)).properties : {};
    const rendering = { budget: new RenderBudget(), titles, numberFormats: numberFormatsOf(properties) };
    return respond(request, (page) => contentPage({ ...view, workspaceName, rendering }, page));
  }

  async function showDatabase(request: SignedInRequest, scope: ReadScope, id: string): Promise<WebResponse> {
    const database = await retrieveDatabase(scope, id);
    const view = parseTableView(request.query);
    const filter = buildFilter(view, database);
    const range = { size: TABLE_ROWS, cursor: view.cursor };
    let notice: Notice | undefined = typeof filter === "string" ? { kind: "bad", text: filter } : undefined;
    const query = {
      sorts: buildSorts(view),
      ...(filter === undefined || typeof filter === "string" ? {} : { filter }),
    };
    const found = await viewDatabase(scope, database, query, range).catch((error: unknown) => {
      // Shows the table without the sort, filter and cursor of the address if they are invalid for the database.
      if (!(error instanceof DomainError && error.kind === "validation")) throw error;
      notice = { kind: "bad", text: error.message };
      return viewDatabase(scope, database, {}, { size: TABLE_ROWS });
    });
    const { titles, ...shown } = found;
    const content: DatabaseContent = {
      ...shown,
      database,
      view,
      notice,
      workspaceName: request.session.workspaceName,
      rendering: {
        budget: new RenderBudget(),
        titles,
        numberFormats: numberFormatsOf(database.properties),
      },
    };
    return respond(request, (page) => databasePage(content, page), notice === undefined ? 200 : 400);
  }

  return {
    showWorkspace: withErrorPage(async (request) => {
      const scope = await readScope(request);
      const range = { size: START_ENTRIES };
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
      return respond(request, (page) => workspacePage(content, page));
    }),

    showObject: withErrorPage(async (request) => {
      const id = parseId(request.param);
      if (id === undefined) throw notFound();
      const scope = await readScope(request);
      const object = await requireBlock(scope, id);
      if (object.type === "child_database") return showDatabase(request, scope, id);
      if (object.type === "child_page") return showPage(request, scope, id);
      return redirect(`${contentPath(object.pageId)}#b${id}`);
    }),

    showSearch: withErrorPage(async (request) => {
      const query = request.query.get("q")?.trim() ?? "";
      const cursor = request.query.get("cursor") ?? undefined;
      const scope = await readScope(request);
      const { results, nextCursor } = await search(scope, { query }, { size: LIST_ENTRIES, cursor });
      return respond(request, (page) => searchPage({ query, results, nextCursor }, page));
    }),

    showTrash: withErrorPage(async (request) => {
      const cursor = request.query.get("cursor") ?? undefined;
      const { results, nextCursor } = await listTrash(await readScope(request), {
        size: LIST_ENTRIES,
        cursor,
      });
      const { csrfToken } = request.session;
      return respond(request, (page) => trashPage({ objects: results, nextCursor, csrfToken }, page));
    }),

    restore: withErrorPage(async (request) => {
      await receiveForm(web, request);
      const id = parseId(request.param);
      if (id === undefined) throw notFound();
      const principal = await memberPrincipal(web.store, request.session);
      await runWrite(web.store, scopes, principal, (scope) => restoreObject(scope, id));
      return redirect(contentPath(id));
    }),
  };
}

function notFound(): RequestRefused {
  return new RequestRefused(404, "There is no such page or database in this workspace, or it was deleted.");
}

/** Wraps a handler so that errors of the use cases become pages that explain them. */
function withErrorPage(
  handle: (request: SignedInRequest) => Promise<WebResponse>,
): (request: SignedInRequest) => Promise<WebResponse> {
  return (request) =>
    handle(request).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      if (error.kind === "not_found") throw notFound();
      if (error.kind === "validation") throw new RequestRefused(400, error.message);
      throw error;
    });
}
