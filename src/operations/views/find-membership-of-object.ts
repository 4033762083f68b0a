import type { Membership } from "../../access/workspaces/members.js";
import { findWorkspaceOfObject } from "../../storage/objects/objects.js";
import type { Store } from "../../storage/engine/store.js";

/** Finds which of a person's memberships gives access to a page, database or block; undefined when none does. */
export async function findMembershipOfObject(
  { read: db }: Store,
  id: string,
  memberships: readonly Membership[],
): Promise<Membership | undefined> {
  const ids = memberships.map(({ workspaceId }) => workspaceId);
  const workspaceId = await findWorkspaceOfObject(db, id, ids);
  return memberships.find((membership) => membership.workspaceId === workspaceId);
}
