import type { Kysely } from "kysely";
import type { User } from "../domain/user.js";
import { compileOnce } from "./compile-once.js";
import type { Tables, UsersTable } from "./tables.js";

const selectUser = compileOnce((db, workspaceId: string, userId: string) =>
  db
    .selectFrom("users")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", userId)
    .limit(1),
);

/**
 * Reads a user.
 *
 * @param db `store.read`, or the transaction of a job.
 * @returns undefined when the workspace has no user of that id.
 */
export async function findUser(
  db: Kysely<Tables>,
  workspaceId: string,
  userId: string,
): Promise<User | undefined> {
  const [row] = await selectUser(db, workspaceId, userId);
  return row && toUser(row);
}

/** Reads the users of a workspace that have one of some ids. Ids of no user are passed over. */
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

/** Reads the person of a workspace that has an e-mail address, in lower case; undefined when nobody has it. */
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
    // Addresses were kept as they were typed once.
    .where((where) => where(where.fn<string>("lower", ["email"]), "=", email))
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row && toUser(row);
}

/**
 * Lists the users of a workspace, those that were added first at the beginning.
 *
 * @param after The id of the user that the list goes on after; undefined for the beginning.
 * @param limit How many at most.
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

/** Gives a user another name. */
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

/** Adds a user to a workspace. */
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
