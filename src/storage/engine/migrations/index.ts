import { Kysely, Migrator, PostgresDialect, sql, type Migration } from "kysely";
import { openSqlite, readCurrentSchema } from "../dialect.js";
import { StorageUnavailableError, UserError } from "../../../errors.js";
import { openPoolWithoutTimeouts } from "../postgres.js";
import { explainOpenError } from "../postgres-errors.js";
import type { SqliteConnection } from "../sqlite.js";
import type { OpenOptions } from "../store.js";
import { buildAccessTables } from "./0001-access.js";
import { buildContentTables } from "./0001-content.js";

/** Migrations by name, in order. Never edit a released one: databases that have it would not get the edit. None is released yet. */
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-baseline": {
    async up(db: Kysely<unknown>) {
      for (const statement of [...buildAccessTables(db), ...buildContentTables(db)]) {
        await statement.execute(db);
      }
    },
  },
};

/** The table in which Kysely's Migrator records the migrations that it has run. */
const HISTORY = "kysely_migration";

interface MigrationHistory {
  [HISTORY]: { name: string };
}

/** SQLSTATE code of a table that exists already. SQLite has no code for it. */
const DUPLICATE_TABLE = "42P07";

const MIGRATION_CONNECT_TIMEOUT_MS = 10_000;

/** The database has no tables, so it is probably not the one of the service. */
export class NoTablesError extends UserError {
  constructor() {
    super("The database has no tables. Check DATABASE_URL or DATA_DIR.");
  }
}

type MigrationOptions = Pick<OpenOptions, "createTables">;

/** Migrates a SQLite database, also in several processes at once. Throws a NoTablesError or StorageUnavailableError. */
export async function migrateSqlite(connection: SqliteConnection, options: MigrationOptions): Promise<void> {
  const db = openSqlite<MigrationHistory>(connection);
  if (await isUpToDate(db, options)) return;
  connection.exec("BEGIN EXCLUSIVE");
  try {
    // Kysely reads the history again under the lock, because another process may have migrated in the meantime.
    await runMigrations(db);
    connection.exec("COMMIT");
  } catch (error) {
    if (connection.inTransaction) connection.exec("ROLLBACK");
    throw error;
  }
}

/** Migrates a PostgreSQL database, also in several processes at once. Throws a NoTablesError or StorageUnavailableError. */
export async function migratePostgres(url: string, options: MigrationOptions): Promise<void> {
  const pool = openPoolWithoutTimeouts(url, {
    max: 1,
    connectionTimeoutMillis: MIGRATION_CONNECT_TIMEOUT_MS,
  });
  const db = new Kysely<MigrationHistory>({ dialect: new PostgresDialect({ pool }) });
  try {
    const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db);
    const encoding = rows[0]?.server_encoding;
    if (encoding !== "UTF8") {
      throw new StorageUnavailableError(
        `The PostgreSQL database has the encoding ${encoding}. Create a database with the encoding UTF8.`,
      );
    }
    // Kysely takes an advisory lock, and reads the history again under it.
    if (!(await isUpToDate(db, options))) await runMigrations(db);
  } catch (error) {
    if (error instanceof StorageUnavailableError || error instanceof NoTablesError) throw error;
    throw explainOpenError(error);
  } finally {
    await db.destroy();
  }
}

/** Name of the last migration. Every database that is up to date has it. */
export const LATEST_MIGRATION = Object.keys(MIGRATIONS).at(-1) ?? "";

/** Reads the name of the last migration; undefined without tables. Throws a StorageUnavailableError for unknown migrations. */
export async function readLastMigration(db: Kysely<unknown>): Promise<string | undefined> {
  // Safe cast: the table exists.
  return (await readMigrations(db as Kysely<MigrationHistory>)).at(-1);
}

/** Migrates a database; with `disableTransactions`, within the transaction of the caller. */
export async function runMigrations<Tables>(
  db: Kysely<Tables>,
  options: { readonly disableTransactions?: boolean } = {},
): Promise<void> {
  const provider = { getMigrations: async () => MIGRATIONS };
  const schema = await readCurrentSchema(db);
  const location = schema === undefined ? {} : { migrationTableSchema: schema };
  const { error } = await new Migrator({ db, provider, ...location, ...options }).migrateToLatest();
  const { code, message }: { code?: unknown; message?: string } = Object(error);
  if (code === DUPLICATE_TABLE || message?.endsWith("already exists")) {
    throw new StorageUnavailableError(
      `The database has tables of another program: ${message}. Use another database.`,
    );
  }
  if (error !== undefined) throw error;
}

/** Whether all migrations have run. Throws a NoTablesError if there are no tables and none may be created. */
async function isUpToDate(
  db: Kysely<MigrationHistory>,
  { createTables = true }: MigrationOptions,
): Promise<boolean> {
  const { length } = await readMigrations(db);
  if (length === 0 && !createTables) throw new NoTablesError();
  return length === Object.keys(MIGRATIONS).length;
}

async function readMigrations(db: Kysely<MigrationHistory>): Promise<string[]> {
  const schema = await readCurrentSchema(db);
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const isHistory = (table: (typeof tables)[number]): boolean =>
    table.name === HISTORY && (schema === undefined || table.schema === schema);
  if (!tables.some(isHistory)) return [];
  const rows = await db.selectFrom(HISTORY).select("name").orderBy("name").execute();
  const unknown = rows.find((row) => !Object.hasOwn(MIGRATIONS, row.name));
  if (unknown !== undefined) {
    throw new StorageUnavailableError(
      `The database was written by a newer version of this program (it has the migration "${unknown.name}"). ` +
        "Start that version or a later one, or use another database.",
    );
  }
  return rows.map((row) => row.name);
}
