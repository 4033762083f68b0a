import { newId } from "../domain/ids.js";
import type { User } from "../domain/user.js";
import type { Store } from "../storage/store.js";
import { findPersonByEmail, insertUser, listUsers } from "../storage/users.js";
import { checkEmail, checkName, normalEmail, ProvisionError } from "./checks.js";
import { requireWorkspace } from "./plans.js";

/** What `createPerson` is asked for. */
export interface PersonRequest {
  readonly workspaceName: string;
  readonly name: string;
  readonly email: string;
}

/**
 * Adds a person to a workspace, so that pages can name them.
 *
 * @throws ProvisionError when there is no workspace of that name, or the name or the address is not acceptable.
 */
export async function createPerson(store: Store, request: PersonRequest): Promise<User> {
  const { workspaceName, name } = request;
  const email = normalEmail(request.email);
  checkName("person", name);
  checkEmail(email);
  const { id: workspaceId } = await requireWorkspace(store.read, workspaceName);
  return store.write(async (tx) => {
    if (await findPersonByEmail(tx, workspaceId, email)) {
      throw new ProvisionError(`The workspace "${workspaceName}" has a person with the address ${email}.`);
    }
    const user: User = {
      id: newId(),
      type: "person",
      name,
      email,
      avatarUrl: null,
      createdTime: Date.now(),
    };
    await insertUser(tx, workspaceId, user);
    return user;
  });
}

/**
 * Lists the people and bots of a workspace, those that were added first at the beginning.
 *
 * @throws ProvisionError when there is no workspace of that name.
 */
export async function listWorkspaceUsers(store: Store, workspaceName: string): Promise<User[]> {
  const { id } = await requireWorkspace(store.read, workspaceName);
  return listUsers(store.read, id, undefined, Number.MAX_SAFE_INTEGER);
}
