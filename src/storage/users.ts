import type { User } from "../domain/user.js";
import { takeFirst } from "./engine/compile-once.js";
import { toSnakeCase } from "./column-names.js";
import { chunk } from "../lists.js";
import type { Db, StorageScope } from "./tables.js";
import { MAX_IDS, readByIds } from "./sql-helpers.js";
import { compileForWorkspace, insertInto, selectFrom, updateTable } from "./workspace-rows.js";

const COLUMNS = [
  "id",
  "type",
  "name",
  "email",
  "avatar_url as avatarUrl",
  "created_time as createdTime",
] as const;

/** Reads a user; undefined when the workspace has no user with this id. */
export const findUser = takeFirst(
  compileForWorkspace((scope, userId: string) =>
    selectFrom(scope, "users").select(COLUMNS).where("id", "=", userId).limit(1),
  ),
);

/** Reads users of a workspace by their ids, in any order. Unknown ids are skipped. */
export async function findUsers(scope: StorageScope, userIds: readonly string[]): Promise<User[]> {
  return readByIds(userIds, selectFrom(scope, "users").select(COLUMNS));
}

/** Reads the names of users of a workspace, by id. Unknown ids are skipped. */
export async function findUserNames(
  scope: StorageScope,
  userIds: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const users = await findUsers(scope, [...new Set(userIds)]);
  return new Map(users.map(({ id, name }) => [id, name]));
}

/** Finds a person of a workspace by the e-mail address, which must be normalized. */
export async function findPersonByEmail(scope: StorageScope, email: string): Promise<User | undefined> {
  // Bots have no address.
  return selectFrom(scope, "users")
    .select(COLUMNS)
    .where("email", "=", email)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
}

/** Reads the users of a workspace that come after the id `after`, oldest first. */
export async function findUsersAfter(scope: StorageScope, after: string, limit: number): Promise<User[]> {
  return selectFrom(scope, "users")
    .select(COLUMNS)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Reads the oldest users of a workspace with a name, whose ASCII letters are compared without case. */
export async function findUsersByName(scope: StorageScope, name: string, limit: number): Promise<User[]> {
  return selectFrom(scope, "users")
    .select(COLUMNS)
    .where((eb) => eb(eb.fn("lower", ["name"]), "=", eb.fn("lower", [eb.val(name)])))
    .orderBy("id")
    .limit(limit)
    .execute();
}

export async function setUserName(scope: StorageScope, userId: string, name: string): Promise<void> {
  await updateTable(scope, "users").set({ name }).where("id", "=", userId).execute();
}

/** Sets the name of the people with an e-mail address, which must be normalized, in several workspaces. */
export async function setPersonName(
  tx: Db,
  workspaceIds: readonly string[],
  email: string,
  name: string,
): Promise<void> {
  for (const part of chunk(workspaceIds, MAX_IDS)) {
    const users = tx.updateTable("users").set({ name }).where("email", "=", email);
    await users.where("workspace_id", "in", part).execute();
  }
}

export async function insertUser(scope: StorageScope, user: User): Promise<void> {
  await insertInto(scope, "users", toSnakeCase(user)).execute();
}
