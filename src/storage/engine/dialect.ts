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

// One for all of a kind, so that a query compiled through one Kysely instance is known to fit the others.
const sqliteAdapter = new SqliteAdapter();
const postgresAdapter = new PostgresAdapter();

const connections = new WeakMap<object, DatabaseConnection>();

/** Opens Kysely over a connection of ours to SQLite. */
export function openSqlite<Tables>(connection: DatabaseConnection): Kysely<Tables> {
  return openKysely(connection, sqliteDialect(connection));
}

/** Opens Kysely over a connection of ours to PostgreSQL. */
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

/** Whether a Kysely instance speaks to PostgreSQL; to SQLite else. */
export function isPostgres<Tables>(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * The connection under a Kysely instance of this module: executing a compiled query on it costs half of what
 * it costs through Kysely, which acquires and releases a connection around it and applies plugins.
 */
export function connectionOf(db: object): DatabaseConnection | undefined {
  return connections.get(db);
}

/**
 * Kysely's SQLite dialect over a connection of ours. Kysely's own transactions are refused: the store opens
 * them, so that it can commit several jobs at once.
 */
export function sqliteDialect(connection: DatabaseConnection): Dialect {
  return {
    createAdapter: () => sqliteAdapter,
    createDriver: () => new SharedConnectionDriver(connection),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Hands out one connection to everybody: it is the connection that keeps one query from coming into another. */
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
    throw new Error("Transactions are the store's: use store.write().");
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}
