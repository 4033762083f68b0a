import type { Kysely } from "kysely";
import type { User } from "../domain/user.js";
import { compileOnce } from "./engine/compile-once.js";
import type { Tables, UsersTable } from "./tables.js";

const selectUser = compileOnce((db, workspaceId: string, userId: string) =>
  db
    .selectFrom("users")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", userId)
    .limit(1),
);

/** Reads a user; undefined when the workspace has no user with that id. */
export async function findUser(
  db: Kysely<Tables>,
  workspaceId: string,
  userId: string,
): Promise<User | undefined> {
  const [row] = await selectUser(db, workspaceId, userId);
  return row && toUser(row);
}

/** Reads users of a workspace by their ids, in any order. Unknown ids are skipped. */
export async function findUsers(
  db: Kysely<Tables>,
  workspaceId: string,
  userIds: readonly string[],
): Promise<User[]> {
  if (userIds.length === 0) return [];
  const rows = await db
    .selectFrom("users")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("id", "in", userIds)
    .execute();
  return rows.map(toUser);
}

/** Reads the names of all users of a workspace, by id. */
export async function findUserNames(
  db: Kysely<Tables>,
  workspaceId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom("users")
    .select(["id", "name"])
    .where("workspace_id", "=", workspaceId)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * Reads the person of a workspace with an e-mail address; undefined when nobody has it.
 *
 * @param email in lower case
 */
export async function findPersonByEmail(
  db: Kysely<Tables>,
  workspaceId: string,
  email: string,
): Promise<User | undefined> {
  const row = await db
    .selectFrom("users")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("type", "=", "person")
    // Older rows contain addresses as they were typed.
    .where((where) => where(where.fn<string>("lower", ["email"]), "=", email))
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row && toUser(row);
}

/**
 * Lists the users of a workspace, oldest first.
 *
 * @param after id of the last user of the previous part; undefined for the first part
 */
export async function listUsers(
  db: Kysely<Tables>,
  workspaceId: string,
  after: string | undefined,
  limit: number,
): Promise<User[]> {
  let query = db.selectFrom("users").selectAll().where("workspace_id", "=", workspaceId);
  if (after !== undefined) query = query.where("id", ">", after);
  return (await query.orderBy("id").limit(limit).execute()).map(toUser);
}

/** Changes the name of a user. */
export async function setUserName(
  tx: Kysely<Tables>,
  workspaceId: string,
  userId: string,
  name: string,
): Promise<void> {
  await tx
    .updateTable("users")
    .set({ name })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", userId)
    .execute();
}

/** Inserts a user. */
export async function insertUser(tx: Kysely<Tables>, workspaceId: string, user: User): Promise<void> {
  await tx
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

function toUser(row: UsersTable): User {
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    email: row.email,
    avatarUrl: row.avatar_url,
    createdTime: row.created_time,
  };
}
