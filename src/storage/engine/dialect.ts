import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
} from "kysely";

// One adapter per dialect, which identifies the dialect of a compiled query.
const sqliteAdapter = new SqliteAdapter();
const postgresAdapter = new PostgresAdapter();

const connections = new WeakMap<object, DatabaseConnection>();

/** Opens Kysely on a SQLite connection. */
export function openSqlite<Tables>(connection: DatabaseConnection): Kysely<Tables> {
  return openKysely(connection, createSqliteDialect(connection));
}

/** Opens Kysely on a PostgreSQL connection. */
export function openPostgres<Tables>(connection: DatabaseConnection): Kysely<Tables> {
  return openKysely(connection, {
    createAdapter: () => postgresAdapter,
    createDriver: () => new SharedConnectionDriver(connection),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  });
}

function openKysely<Tables>(connection: DatabaseConnection, dialect: Dialect): Kysely<Tables> {
  const db = new Kysely<Tables>({ dialect });
  connections.set(db, connection);
  return db;
}

/** Whether a Kysely instance uses PostgreSQL rather than SQLite. */
export function isPostgres<Tables>(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * Returns the connection of a Kysely instance of this module. Executing a compiled query on it directly takes half the
 * time, because Kysely acquires and releases a connection and applies plugins.
 */
export function getConnection(db: object): DatabaseConnection | undefined {
  return connections.get(db);
}

/**
 * Kysely's SQLite dialect for a given connection. It refuses Kysely's transactions, because the store begins them
 * itself to commit several jobs at once.
 */
export function createSqliteDialect(connection: DatabaseConnection): Dialect {
  return {
    createAdapter: () => sqliteAdapter,
    createDriver: () => new SharedConnectionDriver(connection),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Driver with one connection for all queries. The connection itself serializes them. */
class SharedConnectionDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  async beginTransaction(): Promise<never> {
    throw new Error("Only the store begins transactions: use store.write().");
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}
