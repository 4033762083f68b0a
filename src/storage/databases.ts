import type { Kysely } from "kysely";
import type { Database } from "../domain/database.js";
import { fold } from "../domain/fold.js";
import { plainText } from "../domain/properties/text.js";
import { compileOnce } from "./compile-once.js";
import { toObject, toObjectRow } from "./object-columns.js";
import { formatSchema, parseSchema } from "./schema-cache.js";
import type { DatabasesTable, Tables } from "./tables.js";

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
  return row && toDatabase(row);
}

/** Reads databases by their ids, in no order; ids of no database are passed over. */
export async function findDatabases(
  db: Kysely<Tables>,
  workspaceId: string,
  ids: readonly string[],
): Promise<Database[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("databases")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("id", "in", ids)
    .execute();
  return rows.map(toDatabase);
}

/**
 * Lists the databases of a workspace that are not in the trash, those that were made first at the beginning.
 *
 * @param after The id of the database that the list goes on after; undefined for the beginning.
 * @param limit How many at most.
 */
export async function listDatabases(
  db: Kysely<Tables>,
  workspaceId: string,
  after: string | undefined,
  limit: number,
): Promise<Database[]> {
  let query = db
    .selectFrom("databases")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("in_trash", "=", 0);
  if (after !== undefined) query = query.where("id", ">", after);
  return (await query.orderBy("id").limit(limit).execute()).map(toDatabase);
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
      ...toRow(database),
      workspace_id: workspaceId,
      version: 0,
      properties: formatSchema(database.schema),
      last_unique_number: 0,
    })
    .execute();
}

/** Replaces what is stored for a database that exists, but for its properties, see schema-changes.ts. */
export async function updateDatabase(
  tx: Kysely<Tables>,
  workspaceId: string,
  database: Database,
): Promise<void> {
  await tx
    .updateTable("databases")
    .set((row) => ({ ...toRow(database), version: row("version", "+", 1) }))
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", database.id)
    .execute();
}

type DatabaseRow = Omit<
  DatabasesTable,
  "workspace_id" | "version" | "properties" | "last_unique_number" | "title_text"
>;

function toDatabase(row: DatabaseRow & Pick<DatabasesTable, "properties">): Database {
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

function toRow(database: Database): DatabaseRow & Pick<DatabasesTable, "title_text"> {
  return {
    ...toObjectRow(database),
    title: JSON.stringify(database.title),
    title_text: fold(plainText(database.title)),
    description: JSON.stringify(database.description),
    icon: database.icon === null ? null : JSON.stringify(database.icon),
    cover: database.cover === null ? null : JSON.stringify(database.cover),
    is_inline: database.isInline ? 1 : 0,
  };
}
