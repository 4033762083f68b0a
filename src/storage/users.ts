import type { User } from "../domain/user.js";
import { compileOnce } from "./engine/compile-once.js";
import type { StorageScope } from "./tables.js";
import { hasAnyId, hasId, readByIds } from "./sql-helpers.js";

const COLUMNS = [
  "id",
  "type",
  "name",
  "email",
  "avatar_url as avatarUrl",
  "created_time as createdTime",
] as const;

const selectUser = compileOnce((db, workspaceId: string, userId: string) =>
  db.selectFrom("users").select(COLUMNS).where(hasId(workspaceId, userId)).limit(1),
);

/** Reads a user; undefined when the workspace has no user with this id. */
export async function findUser({ db, workspaceId }: StorageScope, userId: string): Promise<User | undefined> {
  const [row] = await selectUser(db, workspaceId, userId);
  return row;
}

/** Reads users of a workspace by their ids, in any order. Unknown ids are skipped. */
export async function findUsers(
  { db, workspaceId }: StorageScope,
  userIds: readonly string[],
): Promise<User[]> {
  return readByIds(userIds, (ids) =>
    db.selectFrom("users").select(COLUMNS).where(hasAnyId(workspaceId, ids)),
  );
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
export async function findPersonByEmail(
  { db, workspaceId }: StorageScope,
  email: string,
): Promise<User | undefined> {
  // Bots have no address.
  return db
    .selectFrom("users")
    .select(COLUMNS)
    .where("workspace_id", "=", workspaceId)
    .where("email", "=", email)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
}

/** Reads the users of a workspace that come after the id `after`, oldest first. */
export async function findUsersAfter(
  { db, workspaceId }: StorageScope,
  after: string,
  limit: number,
): Promise<User[]> {
  return db
    .selectFrom("users")
    .select(COLUMNS)
    .where("workspace_id", "=", workspaceId)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Renames a user. */
export async function setUserName(
  { db, workspaceId }: StorageScope,
  userId: string,
  name: string,
): Promise<void> {
  await db.updateTable("users").set({ name }).where(hasId(workspaceId, userId)).execute();
}

/** Adds a person or a bot to a workspace. */
export async function insertUser({ db, workspaceId }: StorageScope, user: User): Promise<void> {
  await db
    .insertInto("users")
    .values({
      workspace_id: workspaceId,
      id: user.id,
      type: user.type,
      name: user.name,
      email: user.email,
      avatar_url: user.avatarUrl,
      created_time: user.createdTime,
    })
    .execute();
}
