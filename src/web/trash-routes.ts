import { getSessionActor } from "../access/audit.js";
import { findMemberPrincipal } from "../access/workspaces/members.js";
import { requireMember } from "../access/workspaces/write-as-member.js";
import { MAX_LISTED_OBJECTS } from "../budgets.js";
import { DomainError } from "../domain/errors.js";
import { deletePermanently, requireDeletable } from "../operations/delete-permanently.js";
import { emptyTrash } from "../operations/empty-trash.js";
import { runWrite } from "../operations/execution/run-write.js";
import { updateBlock } from "../operations/update-block.js";
import { listTrash } from "../operations/views/list-trash.js";
import type { WriteScope } from "../operations/execution/scope.js";
import { handleWorkspaceForm } from "./form.js";
import { findNotice, withNotice } from "./notices.js";
import { renderDeletePage, renderEmptyTrashPage, renderTrashPage } from "./pages/workspace/trash.js";
import { getContentPath } from "./render/links.js";
import { createContentPage, type SignedInRequest, withReadScope } from "./request.js";
import { createRedirect, type WebResponse } from "./response.js";
import type { RouteHandlers } from "./routes.js";
import { WebRequestError } from "./web-request-error.js";

/** The only validation error of a restore, see setInTrash. */
const PARENT_IN_TRASH = "The page or database that contains it is in the trash too. Restore that first.";

const TRASH_LINK = { path: "/trash", text: "Open the trash" };

export const trashHandlers = {
  showTrash: withReadScope(async (request, scope) => {
    const cursor = request.query.get("cursor") ?? undefined;
    const content = {
      ...(await listTrash(scope, { size: MAX_LISTED_OBJECTS, cursor })),
      notice: findNotice(request.query),
    };
    return createContentPage(request, (layoutData) => renderTrashPage(content, layoutData));
  }),

  showEmptyTrash: withReadScope(async (request, scope) => {
    const list = await listTrash(scope, { size: MAX_LISTED_OBJECTS, cursor: undefined });
    return createContentPage(request, (layoutData) => renderEmptyTrashPage(list, layoutData));
  }),

  emptyTrash: handleWorkspaceForm(async (request) => {
    const actor = getSessionActor(request.session);
    return redirectToTrash(await writeAsPrincipal(request, (scope) => emptyTrash(scope, actor)));
  }),

  showDelete: withReadScope(async (request, scope) => {
    const object = await requireDeletable(scope, request.param);
    return createContentPage(request, (layoutData) => renderDeletePage(object, layoutData));
  }),

  deletePermanently: handleWorkspaceForm(async (request) => {
    const actor = getSessionActor(request.session);
    return redirectToTrash(
      await writeAsPrincipal(request, (scope) => deletePermanently(scope, request.param, actor)),
    );
  }),

  restore: handleWorkspaceForm(async (request) => {
    try {
      await writeAsPrincipal(request, (scope) => updateBlock(scope, request.param, { in_trash: false }));
    } catch (error) {
      const isInvalid = error instanceof DomainError && error.kind === "validation";
      throw isInvalid ? new WebRequestError(400, PARENT_IN_TRASH, TRASH_LINK) : error;
    }
    return createRedirect(withNotice(getContentPath(request.param), "restored"));
  }),
} satisfies Partial<RouteHandlers>;

/** Runs a use case on behalf of the signed-in person. Throws a UserError when the person is not a member any more. */
async function writeAsPrincipal<T>(
  { context, session }: SignedInRequest,
  runUseCase: (scope: WriteScope) => Promise<T>,
): Promise<T> {
  const { store, scopes } = context;
  return runWrite(scopes, await findMemberPrincipal(store, session), async (scope) => {
    await requireMember(scope, session.accountId);
    return runUseCase(scope);
  });
}

function redirectToTrash(isComplete: boolean): WebResponse {
  return createRedirect(withNotice("/trash", isComplete ? "deleted" : "deletion-begun"));
}
