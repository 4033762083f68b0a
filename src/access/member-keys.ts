import type { Kysely } from "kysely";
import type { ApiKey } from "../storage/keys.js";
import { findWorkspaceKey } from "../storage/keys.js";
import type { StoredSession } from "../storage/sessions.js";
import type { Store } from "../storage/store.js";
import type { Tables } from "../storage/tables.js";
import { findUser } from "../storage/users.js";
import { actorOf } from "./accounts.js";
import { ProvisionError } from "./checks.js";
import { type IssuedKey, issueKey, type KeyOrder, revokeKey, rotateKey } from "./keys.js";

/** Whether a member may rotate and revoke a key: owners each, others those that they made. */
export function mayManage(session: StoredSession, key: Pick<ApiKey, "createdBy">): boolean {
  return session.role === "owner" || key.createdBy === session.accountId;
}

/**
 * Makes a key for a member of the workspace.
 *
 * @param order With the id that the form was given, so that a form that is sent twice makes one key.
 * @throws ProvisionError when the form was sent before, or a field is not acceptable.
 */
export function createMemberKey(
  store: Store,
  session: StoredSession,
  order: KeyOrder & { id: string },
): Promise<IssuedKey> {
  const { workspaceId } = session;
  return store.write(async (tx) => {
    if (await findWorkspaceKey(tx, workspaceId, order.id)) {
      throw new ProvisionError(
        "This key was made already, and its text cannot be shown again. Rotate it to get a new one.",
      );
    }
    // Its bot will have the id, which nobody else in the workspace may have.
    if (await findUser(tx, workspaceId, order.id)) {
      throw new ProvisionError("The form is not whole. Reload the page and try again.");
    }
    return issueKey(tx, workspaceId, order, member(session));
  }, workspaceId);
}

/** Rotates a key for a member who may, see rotateKey. */
export function rotateMemberKey(
  store: Store,
  session: StoredSession,
  id: string,
  overlap: number,
): Promise<IssuedKey> {
  return store.write(
    async (tx) => rotateKey(tx, await managedKey(tx, session, id), overlap, member(session)),
    session.workspaceId,
  );
}

/** Revokes a key for a member who may, see revokeKey. */
export function revokeMemberKey(store: Store, session: StoredSession, id: string): Promise<ApiKey> {
  return store.write(
    async (tx) => revokeKey(tx, await managedKey(tx, session, id), member(session)),
    session.workspaceId,
  );
}

async function managedKey(tx: Kysely<Tables>, session: StoredSession, id: string): Promise<ApiKey> {
  const key = await findWorkspaceKey(tx, session.workspaceId, id);
  if (key === undefined) throw new ProvisionError("There is no such key in this workspace.");
  if (!mayManage(session, key)) {
    throw new ProvisionError("Only an owner, or whoever made the key, can do this.");
  }
  return key;
}

function member(session: StoredSession) {
  return actorOf({ id: session.accountId, name: session.accountName });
}
