import { createInvitation, listInvitations, withdrawInvitation } from "../access/invitations.js";
import { listMembers, removeMember } from "../access/members.js";
import { toSessionActor } from "../access/actors.js";
import type { Notice } from "./pages/elements.js";
import { type MembersContent, renderMembersPage } from "./pages/members.js";
import {
  loadPageContext,
  receiveForm,
  runInRenderTurn,
  type SignedInRequest,
  type WebContext,
} from "./request.js";
import { createHtmlResponse, createRedirect, type WebResponse } from "./response.js";
import type { RouteHandlers } from "./routes.js";
import { toFormError } from "./form.js";

const MEMBERS_PATH = "/settings/members";

/** Notices after a change, by the parameter `done` of the page. */
const NOTICES: ReadonlyMap<string, Notice> = new Map<string, Notice>([
  ["removed", { kind: "good", text: "Member removed. They no longer have access to this workspace." }],
  ["withdrawn", { kind: "good", text: "Invitation withdrawn. Its link no longer works." }],
]);

/** Creates the routes of `/settings/members`. */
export function createMemberRoutes(context: WebContext) {
  const { store, appUrl } = context;

  /** Shows the members page, with a notice, a new invitation link or the error of a form. */
  async function showPage(
    request: SignedInRequest,
    outcome: Pick<MembersContent, "notice" | "error" | "newLink"> = {},
  ): Promise<WebResponse> {
    const { workspaceId, role } = request.session;
    const render = async (): Promise<WebResponse> => {
      const [pageContext, members, invitations] = await Promise.all([
        loadPageContext(context, request),
        listMembers(store, workspaceId),
        role === "owner" ? listInvitations(store, workspaceId) : [],
      ]);
      const page = renderMembersPage({ pageContext, members, invitations, ...outcome });
      return createHtmlResponse(page, outcome.error?.status);
    };
    // A new link is shown only once, so its page must not be refused.
    return outcome.newLink === undefined ? runInRenderTurn(context, request, render) : render();
  }

  /** Reads a form, and returns the workspace and the actor for the log. */
  async function receiveOwnerForm(request: SignedInRequest) {
    const getField = await receiveForm(context, request);
    return { getField, workspaceId: request.session.workspaceId, actor: toSessionActor(request.session) };
  }

  return {
    showMembers: (request) => showPage(request, { notice: NOTICES.get(request.query.get("done") ?? "") }),

    async invite(request) {
      const { getField, workspaceId, actor } = await receiveOwnerForm(request);
      const role = getField("role") === "owner" ? "owner" : "member";
      try {
        const token = await createInvitation(store, workspaceId, role, actor);
        return await showPage(request, { newLink: `${appUrl}/join/${token}` });
      } catch (cause) {
        return showPage(request, { error: toFormError(cause) });
      }
    },

    async withdrawInvitation(request) {
      const { workspaceId, actor } = await receiveOwnerForm(request);
      await withdrawInvitation(store, workspaceId, request.param, actor);
      return createRedirect(`${MEMBERS_PATH}?done=withdrawn`);
    },

    async removeMember(request) {
      const { getField, workspaceId, actor } = await receiveOwnerForm(request);
      try {
        const revokeKeys = getField("revoke-keys") === "yes";
        await removeMember(store, workspaceId, request.param, revokeKeys, actor);
        return createRedirect(`${MEMBERS_PATH}?done=removed`);
      } catch (cause) {
        return showPage(request, { error: toFormError(cause) });
      }
    },
  } satisfies Partial<RouteHandlers>;
}
