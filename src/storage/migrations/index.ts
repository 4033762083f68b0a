import { Kysely, Migrator, PostgresDialect, sql, type Migration } from "kysely";
import { Pool } from "pg";
import { sqliteDialect } from "../dialect.js";
import { StorageUnavailableError } from "../errors.js";
import { toStorageError } from "../postgres-errors.js";
import type { SqliteConnection } from "../sqlite.js";
import { createPagesTables } from "./0001-pages.js";
import { createObjectTables } from "./0002-objects.js";
import { createAccountTables } from "./0003-accounts.js";
import { createPasswordResets } from "./0004-password-resets.js";
import { addAnswerHeaders } from "./0005-answer-headers.js";

/**
 * Every change of the tables, by name and in order. A migration that was released is never edited: databases
 * that have it would not get the edit.
 */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-pages": { up: createPagesTables },
  "0002-objects": { up: createObjectTables },
  "0003-accounts": { up: createAccountTables },
  "0004-password-resets": { up: createPasswordResets },
  "0005-answer-headers": { up: addAnswerHeaders },
};

/** Where Kysely's Migrator notes what it has done. */
const HISTORY = "kysely_migration";

interface MigrationHistory {
  [HISTORY]: { name: string };
}

/** Milliseconds that connecting takes at most: a service that cannot start says so. */
const CONNECT_TIMEOUT = 10_000;

/**
 * Brings the tables of a SQLite database up to date. Safe when several processes do it at once on a new file.
 *
 * @throws StorageUnavailableError when the database has migrations that this version does not know.
 */
export async function migrateSqlite(connection: SqliteConnection): Promise<void> {
  const db = new Kysely<MigrationHistory>({ dialect: sqliteDialect(connection) });
  if (await isUpToDate(db)) return;
  connection.exec("BEGIN EXCLUSIVE");
  try {
    // Under the lock Kysely looks again at what is done: another process may have been faster.
    await runMigrations(db);
    connection.exec("COMMIT");
  } catch (error) {
    if (connection.inTransaction) connection.exec("ROLLBACK");
    throw error;
  }
}

/**
 * Brings the tables of a PostgreSQL database up to date, in one transaction. Safe when several processes do it at once.
 *
 * @throws StorageUnavailableError when the database cannot be used, or has migrations that this version does not know.
 */
export async function migratePostgres(url: string): Promise<void> {
  // The defaults set no limit to the time that a change of large tables takes.
  const pool = new Pool({ connectionString: url, max: 1, connectionTimeoutMillis: CONNECT_TIMEOUT });
  // Its next query tells that a connection is lost; without a listener the process would end.
  pool.on("error", () => {});
  const db = new Kysely<MigrationHistory>({ dialect: new PostgresDialect({ pool }) });
  try {
    const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db);
    const encoding = rows[0]?.server_encoding;
    if (encoding !== "UTF8") {
      throw new StorageUnavailableError(
        `The PostgreSQL database has the encoding ${encoding}. Make one with the encoding UTF8.`,
      );
    }
    // Kysely takes an advisory lock, and looks again under it at what is done.
    if (!(await isUpToDate(db))) await runMigrations(db);
  } catch (error) {
    const cause = error instanceof StorageUnavailableError ? error : toStorageError(error);
    if (!(cause instanceof StorageUnavailableError) || cause === error) throw cause;
    const remedy = "Check its address, and that its server runs.";
    throw new StorageUnavailableError(`${cause.message}. ${remedy}`, { cause: error });
  } finally {
    await db.destroy();
  }
}

/** The last of the migrations: what a database that is up to date has. */
export const LATEST = Object.keys(MIGRATIONS).at(-1) ?? "";

/** Whether this program knows a migration. */
export function isMigration(name: string): boolean {
  return Object.hasOwn(MIGRATIONS, name);
}

/**
 * The last migration that a database has; undefined when it is empty.
 *
 * @throws StorageUnavailableError when it has one that this version does not know.
 */
export async function lastMigration(db: Kysely<unknown>): Promise<string | undefined> {
  // The cast: the table is looked for before it is read.
  return (await migrationsOf(db as Kysely<MigrationHistory>)).at(-1);
}

/**
 * Brings the tables of a database forward within a transaction of the caller.
 *
 * @param db over a single connection, on which the transaction is
 * @param name the last migration that it gets
 */
export async function migrateTo(db: Kysely<unknown>, name: string): Promise<void> {
  const migrator = new Migrator({ db, provider: PROVIDER, disableTransactions: true });
  const { error } = await migrator.migrateTo(name);
  if (error !== undefined) throw error;
}

const PROVIDER = { getMigrations: async () => MIGRATIONS };

async function runMigrations(db: Kysely<MigrationHistory>): Promise<void> {
  const { error } = await new Migrator({ db, provider: PROVIDER }).migrateToLatest();
  if (error !== undefined) throw error;
}

/** Saves a start on a database that is up to date the lock, which other processes may want. */
async function isUpToDate(db: Kysely<MigrationHistory>): Promise<boolean> {
  return (await migrationsOf(db)).length === Object.keys(MIGRATIONS).length;
}

/** The names of the migrations that a database has, in their order. */
async function migrationsOf(db: Kysely<MigrationHistory>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === HISTORY)) return [];
  const rows = await db.selectFrom(HISTORY).select("name").orderBy("name").execute();
  const unknown = rows.find((row) => !isMigration(row.name));
  if (unknown !== undefined) {
    throw new StorageUnavailableError(
      `The database was written by a newer version of this program (it has the change "${unknown.name}"). ` +
        "Start that version or a later one, or use another database.",
    );
  }
  return rows.map((row) => row.name);
}
