import { actorOf } from "../access/accounts.js";
import { ProvisionError } from "../access/checks.js";
import { invite, removeMember, withdrawInvitation } from "../access/members.js";
import { listMembers } from "../storage/accounts.js";
import { listInvitations } from "../storage/invitations.js";
import { type Answer, page, redirect } from "./answer.js";
import { type MembersView, membersPage } from "./pages/members.js";
import { receiveForm, type SignedIn, viewerOf, type WebContext } from "./visit.js";

/** Who is in the workspace. */
export interface MemberRoutes {
  showMembers(visit: SignedIn): Promise<Answer>;
  /** These three are for owners. */
  invite(visit: SignedIn): Promise<Answer>;
  withdrawInvitation(visit: SignedIn, id: string): Promise<Answer>;
  removeMember(visit: SignedIn, accountId: string): Promise<Answer>;
}

const PATH = "/settings/members";

/** Makes the pages of `/settings/members`. */
export function createMemberRoutes(context: WebContext): MemberRoutes {
  const { store, appUrl } = context;

  async function show(
    visit: SignedIn,
    extra: Pick<MembersView, "notice" | "link"> = {},
    status = 200,
  ): Promise<Answer> {
    const { workspaceId, role } = visit.session;
    const [viewer, members, invitations] = await Promise.all([
      viewerOf(context, visit),
      listMembers(store.read, workspaceId),
      role === "owner" ? listInvitations(store.read, workspaceId, Date.now()) : [],
    ]);
    return page(membersPage({ viewer, members, invitations, ...extra }), status);
  }

  /** Reads the form of an owner, and gives who they are for the log. */
  async function ownersForm(visit: SignedIn) {
    const fields = await receiveForm(context, visit);
    const { accountId, accountName, workspaceId } = visit.session;
    return {
      fields,
      workspaceId,
      actor: { ...actorOf({ id: accountId, name: accountName }), id: accountId },
    };
  }

  return {
    showMembers: (visit) => show(visit),

    async invite(visit) {
      const { fields, workspaceId, actor } = await ownersForm(visit);
      const role = fields.get("role") === "owner" ? "owner" : "member";
      const token = await invite(store, workspaceId, role, actor);
      return show(visit, { link: `${appUrl}/join/${token}` });
    },

    async withdrawInvitation(visit, id) {
      const { workspaceId, actor } = await ownersForm(visit);
      await withdrawInvitation(store, workspaceId, id, actor);
      return redirect(PATH);
    },

    async removeMember(visit, accountId) {
      const { workspaceId, actor } = await ownersForm(visit);
      try {
        await removeMember(store, workspaceId, accountId, actor);
        return redirect(PATH);
      } catch (error) {
        if (!(error instanceof ProvisionError)) throw error;
        return show(visit, { notice: { kind: "bad", text: error.message } }, 400);
      }
    },
  };
}
