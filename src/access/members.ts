import { newId } from "../domain/ids.js";
import type { Role } from "../storage/account-tables.js";
import { deleteMember, listMembers } from "../storage/accounts.js";
import { type Actor, insertAuditEvent } from "../storage/audit.js";
import { deleteInvitation, insertInvitation } from "../storage/invitations.js";
import type { Store } from "../storage/store.js";
import { ProvisionError } from "./checks.js";
import { hashToken, newToken } from "./sessions.js";

/** Milliseconds that an invitation is valid: 7 days. */
const INVITATION_LIFE = 7 * 24 * 3_600_000;

/**
 * Makes a link's token by which one person can join a workspace.
 *
 * @param actor The owner who invites, who has an id.
 * @returns The token, which is stored nowhere.
 */
export function invite(
  store: Store,
  workspaceId: string,
  role: Role,
  actor: Actor & { id: string },
): Promise<string> {
  const token = newToken();
  const createdTime = Date.now();
  return store.write(async (tx) => {
    const id = newId();
    await insertInvitation(tx, {
      workspaceId,
      id,
      hash: hashToken(token),
      role,
      createdBy: actor.id,
      createdTime,
      expiresTime: createdTime + INVITATION_LIFE,
    });
    const entry = { action: "member.invited", subjectId: id, subjectName: "A link", detail: `as ${role}` };
    await insertAuditEvent(tx, workspaceId, actor, entry, createdTime);
    return token;
  }, workspaceId);
}

/** Withdraws an invitation; nothing when it was used or withdrawn before. */
export async function withdrawInvitation(
  store: Store,
  workspaceId: string,
  id: string,
  actor: Actor,
): Promise<void> {
  await store.write(async (tx) => {
    if (!(await deleteInvitation(tx, workspaceId, id))) return;
    const entry = { action: "invitation.withdrawn", subjectId: id, subjectName: "A link", detail: "" };
    await insertAuditEvent(tx, workspaceId, actor, entry, Date.now());
  }, workspaceId);
}

/**
 * Takes somebody out of a workspace; their sessions end at once, their keys work on.
 *
 * @throws ProvisionError when it is the last owner.
 */
export async function removeMember(
  store: Store,
  workspaceId: string,
  accountId: string,
  actor: Actor,
): Promise<void> {
  await store.write(async (tx) => {
    const members = await listMembers(tx, workspaceId);
    const member = members.find((each) => each.accountId === accountId);
    if (member === undefined) return;
    if (member.role === "owner" && members.filter(({ role }) => role === "owner").length === 1) {
      throw new ProvisionError("A workspace needs an owner. Invite another one first.");
    }
    await deleteMember(tx, workspaceId, accountId);
    const subjectName = `${member.name} (${member.email})`;
    const entry = { action: "member.removed", subjectId: accountId, subjectName, detail: "" };
    await insertAuditEvent(tx, workspaceId, actor, entry, Date.now());
  }, workspaceId);
}
