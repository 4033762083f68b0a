import { createInvitation, listInvitations, withdrawInvitation } from "../access/invitations.js";
import { listMembers, removeMember } from "../access/members.js";
import { newId, parseId } from "../domain/ids.js";
import { receiveForm, toFormError } from "./form.js";
import { findNotice, withNotice } from "./notices.js";
import { type MembersContent, renderMembersPage } from "./pages/members.js";
import { loadLayoutData, type SignedInRequest, withRenderSlot } from "./request.js";
import { createHtmlResponse, createRedirect, type WebResponse } from "./response.js";
import type { RouteHandlers } from "./routes.js";

const MEMBERS_PATH = "/settings/members";

/** Handlers of `/settings/members`. */
export const memberHandlers = {
  showMembers: (request) => showPage(request, { notice: findNotice(request.query) }),

  async invite(request) {
    const { store, appUrl } = request.context;
    const getField = await receiveForm(request);
    const role = getField("role") === "owner" ? "owner" : "member";
    try {
      const token = await createInvitation(store, request.session, parseId(getField("id")) ?? newId(), role);
      return await showPage(request, { newLink: `${appUrl}/join/${token}` });
    } catch (error) {
      return showPage(request, { error: toFormError(error) });
    }
  },

  async withdrawInvitation(request) {
    await receiveForm(request);
    await withdrawInvitation(request.context.store, request.session, request.param);
    return createRedirect(withNotice(MEMBERS_PATH, "invitation-withdrawn"));
  },

  async removeMember(request) {
    const revokeKeys = (await receiveForm(request))("revoke-keys") === "yes";
    try {
      await removeMember(request.context.store, request.session, request.param, revokeKeys);
      return createRedirect(withNotice(MEMBERS_PATH, "member-removed"));
    } catch (error) {
      return showPage(request, { error: toFormError(error) });
    }
  },
} satisfies Partial<RouteHandlers>;

/** Shows the members page, with a notice, a new invitation link or the error of a form. */
async function showPage(
  request: SignedInRequest,
  outcome: Pick<MembersContent, "notice" | "error" | "newLink">,
): Promise<WebResponse> {
  const { store } = request.context;
  const { workspaceId, role } = request.session;
  const render = async (): Promise<WebResponse> => {
    const [layoutData, members, invitations] = await Promise.all([
      loadLayoutData(request),
      listMembers(store, workspaceId),
      role === "owner" ? listInvitations(store, workspaceId) : [],
    ]);
    const content = { layoutData, members, invitations, newInvitationId: newId() };
    const page = renderMembersPage({ ...content, ...outcome });
    return createHtmlResponse(page, outcome.error?.status);
  };
  // A new link is shown only once, so its page must not be refused.
  return outcome.newLink === undefined ? withRenderSlot(request, render) : render();
}
