import type { Kysely } from "kysely";
import type { Database } from "../domain/database.js";
import { fold } from "../domain/fold.js";
import { compileOnce } from "./compile-once.js";
import { toObject, toObjectRow } from "./object-columns.js";
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
    ...toObject(row),
    title: JSON.parse(row.title),
    description: JSON.parse(row.description),
    icon: row.icon === null ? null : JSON.parse(row.icon),
    cover: row.cover === null ? null : JSON.parse(row.cover),
    isInline: row.is_inline !== 0,
    schema: parseSchema(row.properties),
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
      ...toObjectRow(database),
      workspace_id: workspaceId,
      version: 0,
      title: JSON.stringify(database.title),
      title_text: fold(database.title.map((run) => run.plain_text).join("")),
      description: JSON.stringify(database.description),
      icon: database.icon === null ? null : JSON.stringify(database.icon),
      cover: database.cover === null ? null : JSON.stringify(database.cover),
      is_inline: database.isInline ? 1 : 0,
      properties: formatSchema(database.schema),
      last_unique_number: 0,
    })
    .execute();
}
