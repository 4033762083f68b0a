import {
  createInvitation,
  type Invitation,
  listInvitations,
  withdrawInvitation,
} from "../access/workspaces/invitations.js";
import { listMembers, type Member, removeMember } from "../access/workspaces/members.js";
import { MAX_LISTED_OBJECTS } from "../budgets.js";
import { newId, parseId } from "../domain/ids.js";
import { type ListPart, readListPart, readListPartByTime } from "../operations/load/list-parts.js";
import { handleWorkspaceForm } from "./form.js";
import { findNotice, withNotice } from "./notices.js";
import type { FormError } from "./pages/form-elements.js";
import { type MembersContent, renderMembersPage } from "./pages/members.js";
import { loadLayoutData, type SignedInRequest, withRenderSlot } from "./request.js";
import { createHtmlResponse, createRedirect, type WebResponse } from "./response.js";
import type { RouteHandlers } from "./routes.js";

const MEMBERS_PATH = "/settings/members";

/** Handlers of `/settings/members`. */
export const memberHandlers = {
  showMembers: (request) => showPage(request, { notice: findNotice(request.query) }),

  invite: handleWorkspaceForm(async (request, getField) => {
    const { store, appUrl } = request.context;
    const role = getField("role") === "owner" ? "owner" : "member";
    const token = await createInvitation(store, request.session, parseId(getField("id")) ?? newId(), role);
    return showPage(request, { newLink: `${appUrl}/join/${token}` });
  }, showError),

  withdrawInvitation: handleWorkspaceForm(async ({ context, session, param }) => {
    await withdrawInvitation(context.store, session, param);
    return createRedirect(withNotice(MEMBERS_PATH, "invitation-withdrawn"));
  }, showError),

  removeMember: handleWorkspaceForm(async ({ context, session, param }, getField) => {
    await removeMember(context.store, session, param, getField("revoke-keys") === "yes");
    return createRedirect(withNotice(MEMBERS_PATH, "member-removed"));
  }, showError),
} satisfies Partial<RouteHandlers>;

function showError(request: SignedInRequest, error: FormError): Promise<WebResponse> {
  return showPage(request, { error });
}

async function showPage(
  request: SignedInRequest,
  outcome: Pick<MembersContent, "notice" | "error" | "newLink">,
): Promise<WebResponse> {
  const { role } = request.session;
  const render = async (): Promise<WebResponse> => {
    const [layoutData, members, invitations] = await Promise.all([
      loadLayoutData(request),
      listMembersPart(request),
      role === "owner" ? listInvitationsPart(request) : undefined,
    ]);
    const content = { layoutData, members, invitations, newInvitationId: newId() };
    const page = renderMembersPage({ ...content, ...outcome });
    return createHtmlResponse(page, outcome.error?.status);
  };
  // A new link is shown only once, so its page must not be refused.
  return outcome.newLink === undefined ? withRenderSlot(request, render) : render();
}

/** Reads the part of the list of members that the query parameter `cursor` names. Throws a DomainError (invalid_cursor). */
function listMembersPart({ context, session, query }: SignedInRequest): Promise<ListPart<Member>> {
  return readListPartByTime(
    "members",
    { cursor: query.get("cursor") ?? undefined, size: MAX_LISTED_OBJECTS },
    (after, limit) => listMembers(context.store, session.workspaceId, after, limit),
    ({ createdTime }) => createdTime,
  );
}

/** Reads the part of the list of invitations that the query parameter `invitations` names. Throws as listMembersPart does. */
function listInvitationsPart({ context, session, query }: SignedInRequest): Promise<ListPart<Invitation>> {
  return readListPart(
    "invitations",
    { cursor: query.get("invitations") ?? undefined, size: MAX_LISTED_OBJECTS },
    (after, limit) => listInvitations(context.store, session.workspaceId, after, limit),
  );
}
