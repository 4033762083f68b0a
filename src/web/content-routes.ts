import {
  MAX_PAGE_SIZE,
  MAX_SEARCH_LENGTH,
  MAX_TABLE_CELLS,
  START_PAGE_SIZE,
  WEB_LIST_SIZE,
} from "../budgets.js";
import { findMemberPrincipal } from "../access/members.js";
import { toSessionActor } from "../access/actors.js";
import { DomainError } from "../domain/errors.js";
import { formatBareId, parseId } from "../domain/ids.js";
import { deletePermanently, requireDeletable } from "../operations/delete-permanently.js";
import { emptyTrash, hasBlocksInTrash } from "../operations/empty-trash.js";
import { findBlockLocation } from "../operations/find-block-location.js";
import { runWrite } from "../operations/jobs/run-write.js";
import { listTrash } from "../operations/list-trash.js";
import { requireBlock } from "../operations/load/blocks.js";
import { restoreObject } from "../operations/restore-object.js";
import { retrieveDatabase } from "../operations/retrieve-database.js";
import type { ReadScope, Scopes, WriteScope } from "../operations/scope.js";
import { search } from "../operations/search.js";
import { type DatabaseView, viewDatabase } from "../operations/view-database.js";
import { viewPage } from "../operations/view-page.js";
import { type RenderBudget, renderInTime } from "./render/budget.js";
import { getContentPath, getPartPath } from "./render/links.js";
import { WebRequestError } from "./web-request-error.js";
import type { Html } from "./html.js";
import type { Notice } from "./pages/elements.js";
import { renderDatabasePage } from "./pages/workspace/database.js";
import { renderContentPage } from "./pages/workspace/page.js";
import type { Database, Page } from "./pages/workspace/objects.js";
import { renderSearchPage } from "./pages/workspace/search.js";
import { buildFilter, parseTableView, type TableView } from "./pages/workspace/table-view.js";
import { renderConfirmDeletionPage, renderTrashPage } from "./pages/workspace/trash.js";
import { renderWorkspacePage } from "./pages/workspace/workspace.js";
import type { SignedInPageContext } from "./pages/layout.js";
import {
  loadPageContext,
  receiveForm,
  runInRenderTurn,
  type SignedInRequest,
  type WebContext,
} from "./request.js";
import { createContentResponse, createRedirect, type WebResponse } from "./response.js";
import { truncate } from "../domain/text.js";

/** Notices about permanent deletions, by a parameter of the trash page. */
const DELETION_NOTICES: ReadonlyMap<string, Notice> = new Map<string, Notice>([
  ["all", { kind: "good", text: "Deleted permanently." }],
  ["partly", { kind: "good", text: "The deletion has begun. Its storage becomes free within minutes." }],
]);

const NOT_LISTED = "Only pages and databases that the trash lists can be deleted permanently.";

/** Creates the handlers for the content of a workspace, its search and its trash, with the same operations as the API. */
export function createContentRoutes(context: WebContext, scopes: Scopes, baseUrl: string) {
  /**
   * Wraps a handler so that it waits for a render turn and explains errors. It reads with the permissions of the signed-
   * in person.
   */
  function withRenderTurn(
    handle: (request: SignedInRequest, scope: ReadScope) => Promise<WebResponse>,
  ): (request: SignedInRequest) => Promise<WebResponse> {
    return withErrorPage((request) =>
      runInRenderTurn(context, request, async ({ slot, signal }) => {
        const principal = await findMemberPrincipal(context.store, request.session);
        return handle(
          request,
          scopes.createReadScope(principal, () => signal, slot),
        );
      }),
    );
  }

  /** Renders an HTML page with content within the time limit. */
  async function renderResponse(
    request: SignedInRequest,
    render: (pageContext: SignedInPageContext, budget: RenderBudget) => Html,
    status = 200,
  ): Promise<WebResponse> {
    const pageContext = await loadPageContext(context, request);
    return createContentResponse(
      renderInTime((budget) => render(pageContext, budget)),
      status,
    );
  }

  /** Shows a content page with its blocks and comments from their cursors on. */
  async function showPage(request: SignedInRequest, scope: ReadScope, id: string): Promise<WebResponse> {
    const cursors = {
      blocks: request.query.get("cursor") ?? undefined,
      comments: request.query.get("comments") ?? undefined,
    };
    const view = await viewPage(scope, id, cursors);
    return renderResponse(request, (pageContext, budget) =>
      renderContentPage({ ...view, cursors, budget }, pageContext),
    );
  }

  /** Shows a database as a table. Invalid filters, sorts and cursors are ignored with a notice and status 400. */
  async function showDatabase(request: SignedInRequest, scope: ReadScope, id: string): Promise<WebResponse> {
    const database = await retrieveDatabase(scope, id);
    const { databaseView, ...shown } = await viewTable(scope, database, parseTableView(request.query));
    return renderResponse(
      request,
      (pageContext, budget) =>
        renderDatabasePage({ ...databaseView, ...shown, database, budget }, pageContext),
      shown.problem === undefined ? 200 : 400,
    );
  }

  /** Runs a use case of a form on behalf of the signed-in person. */
  async function runFormWrite<T>(
    request: SignedInRequest,
    runUseCase: (scope: WriteScope) => Promise<T>,
  ): Promise<T> {
    await receiveForm(context, request);
    const principal = await findMemberPrincipal(context.store, request.session);
    return runWrite(context.store, scopes, principal, runUseCase);
  }

  return {
    showWorkspace: withRenderTurn(async (request, scope) => {
      const listRange = { size: START_PAGE_SIZE };
      const newest = { direction: "descending", timestamp: "last_edited_time" } as const;
      const [databases, pages] = await Promise.all([
        search(scope, { filter: { property: "object", value: "database" }, sort: newest }, listRange),
        search(scope, { filter: { property: "object", value: "page" }, sort: newest }, listRange),
      ]);
      const content = {
        baseUrl,
        // The casts: each search was for one kind of object.
        databases: databases.results as Database[],
        pages: pages.results as Page[],
      };
      return renderResponse(request, (pageContext) => renderWorkspacePage(content, pageContext));
    }),

    showObject: withRenderTurn(async (request, scope) => {
      const id = parseId(request.param);
      if (id === undefined) throw createNotFoundError();
      // Finds pages and databases too, because they are blocks of their parents.
      const object = await requireBlock(scope, id);
      if (object.type === "child_database") return showDatabase(request, scope, id);
      if (object.type === "child_page") return showPage(request, scope, id);
      const location = await findBlockLocation(scope, id);
      return createRedirect(`${getPartPath(location)}#${formatBareId(id)}`);
    }),

    showSearch: withRenderTurn(async (request, scope) => {
      const query = truncate(request.query.get("q")?.trim() ?? "", MAX_SEARCH_LENGTH);
      const cursor = request.query.get("cursor") ?? undefined;
      const list = await search(scope, { query }, { size: WEB_LIST_SIZE, cursor });
      return renderResponse(request, (pageContext) => renderSearchPage({ query, ...list }, pageContext));
    }),

    showTrash: withRenderTurn(async (request, scope) => {
      const cursor = request.query.get("cursor") ?? undefined;
      const content = {
        ...(await listTrash(scope, { size: WEB_LIST_SIZE, cursor })),
        hasBlocks: await hasBlocksInTrash(scope),
        notice: DELETION_NOTICES.get(request.query.get("deleted") ?? ""),
      };
      return renderResponse(request, (pageContext) => renderTrashPage(content, pageContext));
    }),

    showEmptyTrash: withErrorPage(async (request) =>
      renderResponse(request, (pageContext) => renderConfirmDeletionPage(undefined, pageContext)),
    ),

    emptyTrash: withErrorPage(async (request) => {
      const actor = toSessionActor(request.session);
      return redirectToTrash(await runFormWrite(request, (scope) => emptyTrash(scope, actor)));
    }),

    showDelete: withErrorPage(async (request) => {
      const principal = await findMemberPrincipal(context.store, request.session);
      const object = await requireDeletable(scopes.createReadScope(principal), request.param);
      return renderResponse(request, (pageContext) => renderConfirmDeletionPage(object, pageContext));
    }, NOT_LISTED),

    deletePermanently: withErrorPage(async (request) => {
      const actor = toSessionActor(request.session);
      return redirectToTrash(
        await runFormWrite(request, (scope) => deletePermanently(scope, request.param, actor)),
      );
    }, NOT_LISTED),

    restore: withErrorPage(async (request) => {
      // The only validation error of a restore is a parent in the trash, see setInTrash.
      await runFormWrite(request, (scope) => restoreObject(scope, request.param));
      return createRedirect(getContentPath(request.param));
    }, "The page or database that contains it is in the trash too. Restore that first."),
  };
}

/**
 * Reads the rows of a table.
 *
 * @returns The rows and the view that they belong to; `problem` is a message if a part of the requested view does not fit
 *   the database and was ignored.
 */
async function viewTable(
  scope: ReadScope,
  database: Database,
  view: TableView,
): Promise<{ databaseView: DatabaseView; view: TableView; problem: string | undefined }> {
  const { filter, problem } = buildFilter(view, database);
  const query = { sorts: view.sort === undefined ? [] : [view.sort], ...(filter && { filter }) };
  const size = Math.min(MAX_PAGE_SIZE, Math.floor(MAX_TABLE_CELLS / Object.keys(database.properties).length));
  try {
    return {
      databaseView: await viewDatabase(scope, database, query, { size, cursor: view.cursor }),
      view,
      problem,
    };
  } catch (error) {
    if (!(error instanceof DomainError && error.kind === "validation")) throw error;
    const isCursorRefused = view.cursor !== undefined;
    const { sort, filter } = isCursorRefused ? view : {};
    const shown = await viewTable(scope, database, { sort, filter, cursor: undefined });
    const reason = isCursorRefused
      ? "The address of this part of the table is not valid. Showing the table from its beginning."
      : "This address does not fit the database. Showing the table without sort or filter.";
    return { ...shown, problem: shown.problem ?? reason };
  }
}

function redirectToTrash(isComplete: boolean): WebResponse {
  return createRedirect(`/trash?deleted=${isComplete ? "all" : "partly"}`);
}

function createNotFoundError(): WebRequestError {
  return new WebRequestError(
    404,
    "This workspace has no page or database at this address. It may have been deleted, or be in another workspace.",
  );
}

/** Creates the error for a cursor that does not belong to the list or page at an address. It links to the first part. */
function createInvalidCursorError({ httpRequest, query }: SignedInRequest): WebRequestError {
  const [path = ""] = (httpRequest.url ?? "").split("?", 1);
  const search = query.get("q");
  return new WebRequestError(
    400,
    "The address of this part is not valid. It may be incomplete or out of date.",
    {
      path: search === null ? path : `${path}?${new URLSearchParams({ q: search }).toString()}`,
      text: "Start at the beginning",
    },
  );
}

/**
 * Wraps a handler so that missing objects and invalid input lead to an error page that explains them.
 *
 * @param validationMessage Message for invalid input; by default it says that the cursor in the address is invalid.
 */
function withErrorPage(
  handle: (request: SignedInRequest) => Promise<WebResponse>,
  validationMessage?: string,
): (request: SignedInRequest) => Promise<WebResponse> {
  return (request) =>
    handle(request).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      if (error.kind === "not_found") throw createNotFoundError();
      if (error.kind === "validation") {
        throw validationMessage === undefined
          ? createInvalidCursorError(request)
          : new WebRequestError(400, validationMessage);
      }
      if (error.kind === "conflict") throw new WebRequestError(409, error.message);
      throw error;
    });
}
