import { Kysely, Migrator, type Migration } from "kysely";
import { sqliteDialect } from "./dialect.js";
import { StorageUnavailableError } from "./errors.js";
import type { SqliteConnection } from "./sqlite.js";

/**
 * Every change of the tables, by name and in order. A migration that was released is never edited: databases
 * that have it would not get the edit.
 */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-pages": { up: createPagesTables },
};

/** Where Kysely's Migrator notes what it has done. */
const HISTORY = "kysely_migration";

/**
 * Brings the tables of a database up to date. Safe when several processes do it at once on a new file.
 *
 * @throws StorageUnavailableError when the database has migrations that this version does not know.
 */
export async function migrate(connection: SqliteConnection): Promise<void> {
  const db = new Kysely<MigrationHistory>({ dialect: sqliteDialect(connection) });
  if (await isUpToDate(db)) return;
  connection.exec("BEGIN EXCLUSIVE");
  try {
    // Under the lock Kysely looks again at what is done: another process may have been faster.
    const provider = { getMigrations: async () => MIGRATIONS };
    const { error } = await new Migrator({ db, provider }).migrateToLatest();
    if (error !== undefined) throw error;
    connection.exec("COMMIT");
  } catch (error) {
    if (connection.inTransaction) connection.exec("ROLLBACK");
    throw error;
  }
}

interface MigrationHistory {
  [HISTORY]: { name: string };
}

/** Saves a start on a database that is up to date the lock, which other processes may want. */
async function isUpToDate(db: Kysely<MigrationHistory>): Promise<boolean> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === HISTORY)) return false;
  const rows = await db.selectFrom(HISTORY).select("name").execute();
  const unknown = rows.find((row) => !Object.hasOwn(MIGRATIONS, row.name));
  if (unknown !== undefined) {
    throw new StorageUnavailableError(
      `The database was written by a newer version of this program (it has the change "${unknown.name}"). ` +
        "Start that version or a later one, or use another database.",
    );
  }
  return rows.length === Object.keys(MIGRATIONS).length;
}

async function createPagesTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("workspaces")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull().unique())
    .addColumn("plan", "text", (column) => column.notNull())
    .addColumn("request_limit", "integer")
    .addColumn("created_time", "bigint", (column) => column.notNull())
    .execute();

  await db.schema
    .createTable("api_keys")
    .addColumn("workspace_id", "text", (column) => column.notNull().references("workspaces.id"))
    .addColumn("id", "text", (column) => column.notNull())
    // The one look-up that does not know the workspace yet.
    .addColumn("hash", "text", (column) => column.notNull().unique())
    .addColumn("prefix", "text", (column) => column.notNull())
    .addColumn("last_four", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("created_time", "bigint", (column) => column.notNull())
    .addColumn("expires_time", "bigint")
    .addColumn("revoked_time", "bigint")
    .addColumn("last_used_time", "bigint")
    .addPrimaryKeyConstraint("api_keys_pk", ["workspace_id", "id"])
    .execute();

  await db.schema
    .createTable("databases")
    .addColumn("workspace_id", "text", (column) => column.notNull().references("workspaces.id"))
    .addColumn("id", "text", (column) => column.notNull())
    .addColumn("title", "text", (column) => column.notNull())
    .addColumn("properties", "text", (column) => column.notNull())
    .addColumn("created_time", "bigint", (column) => column.notNull())
    .addColumn("last_edited_time", "bigint", (column) => column.notNull())
    .addColumn("created_by", "text", (column) => column.notNull())
    .addColumn("last_edited_by", "text", (column) => column.notNull())
    .addColumn("version", "bigint", (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint("databases_pk", ["workspace_id", "id"])
    .execute();

  await db.schema
    .createTable("pages")
    .addColumn("workspace_id", "text", (column) => column.notNull())
    .addColumn("id", "text", (column) => column.notNull())
    .addColumn("database_id", "text", (column) => column.notNull())
    .addColumn("created_time", "bigint", (column) => column.notNull())
    .addColumn("last_edited_time", "bigint", (column) => column.notNull())
    .addColumn("created_by", "text", (column) => column.notNull())
    .addColumn("last_edited_by", "text", (column) => column.notNull())
    .addColumn("icon", "text")
    .addColumn("cover", "text")
    .addColumn("in_trash", "integer", (column) => column.notNull())
    .addColumn("properties", "text", (column) => column.notNull())
    .addColumn("version", "bigint", (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint("pages_pk", ["workspace_id", "id"])
    .addForeignKeyConstraint("pages_database_fk", ["workspace_id", "database_id"], "databases", [
      "workspace_id",
      "id",
    ])
    .execute();
}
