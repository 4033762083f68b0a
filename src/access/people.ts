import { newId } from "../domain/ids.js";
import type { User } from "../domain/user.js";
import type { Store } from "../storage/store.js";
import { findPersonByEmail, insertUser, listUsers } from "../storage/users.js";
import { findWorkspaceByName, type Workspace } from "../storage/workspaces.js";
import { checkName, ProvisionError } from "./provision.js";

/** Longest e-mail address. */
const EMAIL_LENGTH = 200;

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
  const { workspaceName, name, email } = request;
  checkName("person", name);
  checkEmail(email);
  const { id: workspaceId } = await workspaceOf(store, workspaceName);
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
  const { id } = await workspaceOf(store, workspaceName);
  return listUsers(store.read, id, undefined, Number.MAX_SAFE_INTEGER);
}

async function workspaceOf(store: Store, name: string): Promise<Workspace> {
  const workspace = await findWorkspaceByName(store.read, name);
  if (workspace !== undefined) return workspace;
  throw new ProvisionError(
    `There is no workspace "${name}". The list of all keys shows the names of the workspaces; a key for a new one creates it.`,
  );
}

/** It is only held against mistakes of the keyboard: whether an address exists, mail alone can tell. */
function checkEmail(email: string): void {
  if (email.length <= EMAIL_LENGTH && /^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u.test(email)) return;
  throw new ProvisionError(
    `${JSON.stringify(email.slice(0, EMAIL_LENGTH))} is no e-mail address of at most ${EMAIL_LENGTH} characters.`,
  );
}
