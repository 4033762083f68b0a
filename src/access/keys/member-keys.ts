import { findAccount } from "../../storage/access/accounts.js";
import {
  type ApiKey,
  findNewestKeys,
  findWorkspaceKey,
  type KeyPosition,
} from "../../storage/access/keys.js";
import type { Store } from "../../storage/engine/store.js";
import type { StorageScope } from "../../storage/tables.js";
import { findUser } from "../../storage/users.js";
import { UserError } from "../../errors.js";
import { createKey, type KeyOptions, type ListedApiKey, type NewKey, revokeKey, rotateKey } from "./keys.js";
import type { Session } from "../accounts/sessions.js";
import { writeAsMember } from "../workspaces/write-as-member.js";

/** Whether a session may rotate and revoke a key. Owners may manage all keys, and members the keys that they created. */
export function mayManageKey(session: Session, key: Pick<ApiKey, "createdBy">): boolean {
  return session.role === "owner" || key.createdBy === session.accountId;
}

/** Lists keys of a session's workspace, see findNewestKeys. */
export function listKeysAsMember(
  store: Store,
  { workspaceId }: Session,
  after: KeyPosition | undefined,
  limit: number,
): Promise<ListedApiKey[]> {
  return findNewestKeys({ db: store.read, workspaceId }, after, limit);
}

/** Creates a key in a session's workspace. The form contains the new id, so that sending it twice throws a UserError. */
export function createKeyAsMember(
  store: Store,
  session: Session,
  options: KeyOptions & { id: string },
): Promise<NewKey> {
  return writeAsMember(store, session, async (scope, actor) => {
    if (await findWorkspaceKey(scope, options.id)) {
      throw new UserError(
        "This key was created already and cannot be shown again. Rotate it to get a new one.",
      );
    }
    // The bot of the key has the same id, and the user of an account that joins the workspace has the id of the account.
    if ((await findUser(scope, options.id)) || (await findAccount(scope.db, options.id))) {
      throw new UserError("This form is incomplete. Reload the page and try again.");
    }
    return createKey(scope, options, actor);
  });
}

export function rotateKeyAsMember(
  store: Store,
  session: Session,
  id: string,
  overlapMs: number,
): Promise<NewKey> {
  return writeAsMember(store, session, async (scope, actor) =>
    rotateKey(scope, await requireManagedKey(scope, session, id), overlapMs, actor),
  );
}

export function revokeKeyAsMember(store: Store, session: Session, id: string): Promise<ApiKey> {
  return writeAsMember(store, session, async (scope, actor) =>
    revokeKey(scope, await requireManagedKey(scope, session, id), actor),
  );
}

async function requireManagedKey(scope: StorageScope, session: Session, id: string): Promise<ApiKey> {
  const key = await findWorkspaceKey(scope, id);
  if (key === undefined)
    throw new UserError("This workspace does not have this key any more. Reload the page.");
  if (!mayManageKey(session, key)) {
    throw new UserError("Only an owner of the workspace or the creator of the key can do this.");
  }
  return key;
}
