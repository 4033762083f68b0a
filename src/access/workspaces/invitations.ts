import { DAY_MS } from "../../units.js";
import { newId } from "../../domain/ids.js";
import type { Role } from "../../storage/access/tables.js";
import { hasAccounts } from "../../storage/access/accounts.js";
import { type Actor, insertAuditEvent } from "../../storage/access/audit.js";
import {
  deleteInvitation,
  deleteInvitationsByCreator,
  findInvitationByHash,
  hasInvitation,
  insertInvitation,
  type Invitation,
  findOpenInvitations,
} from "../../storage/access/invitations.js";
import { findOldestWorkspace } from "../../storage/access/workspaces.js";
import type { Store } from "../../storage/engine/store.js";
import type { Db, StorageScope } from "../../storage/tables.js";
import { UserError } from "../../errors.js";
import { checkAccessChangeLimit, OPERATOR, type ActingSession } from "../audit.js";
import { requireWorkspace } from "./workspaces.js";
import { hashToken, newToken } from "../accounts/tokens.js";
import { writeAsMember } from "./write-as-member.js";

export type { Invitation };

export const INVITATION_TTL_DAYS = 7;
/** `createdBy` of setup links. When one of them is used, all of them become invalid. */
const SETUP_LINK = "setup";

/** Creates an invitation for one person, and returns its token, which is not stored. Throws a UserError if the id is in use. */
export function createInvitation(
  store: Store,
  session: ActingSession,
  id: string,
  role: Role,
): Promise<string> {
  return writeAsMember(store, session, async (scope, actor) => {
    if (await hasInvitation(scope, id)) {
      throw new UserError(
        "This link was created already and cannot be shown again. Withdraw it, and create another.",
      );
    }
    return addInvitation(scope, role, actor, session.accountId, id);
  });
}

/** Creates an invitation on behalf of the operator. Throws as requireWorkspace does. */
export function inviteToWorkspace(store: Store, nameOrId: string, role: Role): Promise<string> {
  return store.writeServiceWide(async (tx) => {
    const { id } = await requireWorkspace(tx, nameOrId);
    return addInvitation({ db: tx, workspaceId: id }, role, OPERATOR, OPERATOR.type);
  });
}

/** Creates an invitation for the first owner of the oldest workspace, if there is one and no account, and returns its token. */
export function createSetupToken(store: Store): Promise<string | undefined> {
  return store.writeServiceWide(async (tx) => {
    const oldest = (await hasAccounts(tx)) ? undefined : await findOldestWorkspace(tx);
    return oldest && addInvitation({ db: tx, workspaceId: oldest.id }, "owner", OPERATOR, SETUP_LINK);
  });
}

/** Reads the invitation with a token; undefined when it was used or withdrawn, or has expired. */
export function readInvitation(store: Store, token: string): Promise<Invitation | undefined> {
  return findInvitationByHash(store.read, hashToken(token), Date.now());
}

/** Lists open invitations of a workspace, newest first, see findOpenInvitations. */
export function listInvitations(
  store: Store,
  workspaceId: string,
  after: string,
  limit: number,
): Promise<Invitation[]> {
  return findOpenInvitations({ db: store.read, workspaceId }, Date.now(), after, limit);
}

export async function withdrawInvitation(store: Store, session: ActingSession, id: string): Promise<void> {
  await writeAsMember(store, session, async (scope, actor) => {
    if (!(await deleteInvitation(scope, id))) return;
    await insertAuditEvent(scope, actor, { action: "invitation.withdrawn", subjectId: id, subjectName: "" });
  });
}

/** Deletes an invitation, or all setup links, so that it works once. Throws a UserError when it is no longer valid. */
export async function redeemInvitation(tx: Db, token: string): Promise<Invitation> {
  const invitation = await findInvitationByHash(tx, hashToken(token), Date.now());
  if (
    invitation === undefined ||
    !(await deleteInvitation({ db: tx, workspaceId: invitation.workspaceId }, invitation.id))
  ) {
    throw createInvalidInvitationError();
  }
  if (invitation.createdBy === SETUP_LINK) await deleteInvitationsByCreator(tx, SETUP_LINK);
  return invitation;
}

export function createInvalidInvitationError(): UserError {
  return new UserError("This invitation is no longer valid. Ask for a new link.");
}

async function addInvitation(
  scope: StorageScope,
  role: Role,
  actor: Actor,
  createdBy: string,
  id = newId(),
): Promise<string> {
  await checkAccessChangeLimit(scope, actor);
  const token = newToken();
  const createdTime = Date.now();
  const expiresTime = createdTime + INVITATION_TTL_DAYS * DAY_MS;
  await insertInvitation(scope, { id, hash: hashToken(token), role, createdBy, createdTime, expiresTime });
  const event = { action: "member.invited", subjectId: id, subjectName: "", detail: `as ${role}` } as const;
  await insertAuditEvent(scope, actor, event);
  return token;
}
