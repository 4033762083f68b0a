import { newId } from "../../domain/ids.js";
import type { User } from "../../domain/user.js";
import { BEFORE_FIRST_ID } from "../../storage/sql-helpers.js";
import type { Store } from "../../storage/engine/store.js";
import { findPersonByEmail, insertUser, findUsersAfter } from "../../storage/users.js";
import { checkFields, describeInvalidEmail, describeInvalidName, normalizeEmail } from "../checks.js";
import { UserError } from "../../errors.js";
import { requireWorkspace } from "./workspaces.js";

/**
 * Adds a person to a workspace, so that pages can mention them. Throws a UserError when the request is invalid.
 *
 * @param request `workspaceName` can also be an id, see requireWorkspace
 */
export async function createPerson(
  store: Store,
  request: { readonly workspaceName: string; readonly name: string; readonly email: string },
): Promise<User> {
  const { workspaceName, name } = request;
  const email = normalizeEmail(request.email);
  checkFields({ name: describeInvalidName("person", name), email: describeInvalidEmail(email) });
  return store.writeServiceWide(async (tx) => {
    const { id: workspaceId } = await requireWorkspace(tx, workspaceName);
    const scope = { db: tx, workspaceId };
    if (await findPersonByEmail(scope, email)) {
      throw new UserError(`The workspace "${workspaceName}" already has a person with the address ${email}.`);
    }
    const user: User = { id: newId(), type: "person", name, email, avatarUrl: null, createdTime: Date.now() };
    await insertUser(scope, user);
    return user;
  });
}

/** Lists the people and bots of a workspace, oldest first. Throws as requireWorkspace does. */
export async function listWorkspaceUsers(store: Store, nameOrId: string): Promise<User[]> {
  const { id } = await requireWorkspace(store.read, nameOrId);
  return findUsersAfter({ db: store.read, workspaceId: id }, BEFORE_FIRST_ID, Number.MAX_SAFE_INTEGER);
}
