import type { Kysely } from "kysely";
import type { Database } from "../domain/database.js";
import { compileOnce } from "./compile-once.js";
import { formatSchema, parseSchema } from "./schema-cache.js";
import type { Tables } from "./tables.js";

const selectDatabase = compileOnce((db, workspaceId: string, databaseId: string) =>
  db
    .selectFrom("databases")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", databaseId)
    .limit(1),
);

/**
 * Reads a database.
 *
 * @param db `store.read`, or the transaction of a job.
 * @returns undefined when the workspace has no database of that id.
 */
export async function findDatabase(
  db: Kysely<Tables>,
  workspaceId: string,
  databaseId: string,
): Promise<Database | undefined> {
  const [row] = await selectDatabase(db, workspaceId, databaseId);
  if (row === undefined) return undefined;
  return {
    id: row.id,
    title: JSON.parse(row.title),
    schema: parseSchema(row.properties),
    createdTime: row.created_time,
    lastEditedTime: row.last_edited_time,
    createdBy: row.created_by,
    lastEditedBy: row.last_edited_by,
  };
}

/** The id of the workspace's first database; undefined when it has none. */
export async function findFirstDatabaseId(
  db: Kysely<Tables>,
  workspaceId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("databases")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .orderBy("created_time")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Adds a database to a workspace. */
export async function insertDatabase(
  tx: Kysely<Tables>,
  workspaceId: string,
  database: Database,
): Promise<void> {
  await tx
    .insertInto("databases")
    .values({
      workspace_id: workspaceId,
      id: database.id,
      title: JSON.stringify(database.title),
      properties: formatSchema(database.schema),
      created_time: database.createdTime,
      last_edited_time: database.lastEditedTime,
      created_by: database.createdBy,
      last_edited_by: database.lastEditedBy,
      version: 0,
    })
    .execute();
}
