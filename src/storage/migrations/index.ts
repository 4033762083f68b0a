import { Kysely, Migrator, type Migration } from "kysely";
import { sqliteDialect } from "../dialect.js";
import { StorageUnavailableError } from "../errors.js";
import type { SqliteConnection } from "../sqlite.js";
import { createPagesTables } from "./0001-pages.js";
import { createObjectTables } from "./0002-objects.js";

/**
 * Every change of the tables, by name and in order. A migration that was released is never edited: databases
 * that have it would not get the edit.
 */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-pages": { up: createPagesTables },
  "0002-objects": { up: createObjectTables },
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
