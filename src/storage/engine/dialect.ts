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

/**
 * Connection for queries. It has no streams, unlike Kysely's connections, because they would keep a read open while others
 * write.
 */
export type Connection = Pick<DatabaseConnection, "executeQuery">;

// One adapter per dialect, which identifies the dialect of a compiled query.
const sqliteAdapter = new SqliteAdapter();
const postgresAdapter = new PostgresAdapter();

const connections = new WeakMap<object, Connection>();

/** Opens Kysely on a SQLite connection. */
export function openSqlite<Tables>(connection: Connection): Kysely<Tables> {
  return openKysely(connection, createSqliteDialect(connection));
}

/** Opens Kysely on a PostgreSQL connection. */
export function openPostgres<Tables>(connection: Connection): Kysely<Tables> {
  return openKysely(connection, {
    createAdapter: () => postgresAdapter,
    createDriver: () => createDriver(connection),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  });
}

function openKysely<Tables>(connection: Connection, dialect: Dialect): Kysely<Tables> {
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
export function getConnection(db: object): Connection | undefined {
  return connections.get(db);
}

/** Creates Kysely's SQLite dialect for a given connection. */
export function createSqliteDialect(connection: Connection): Dialect {
  return {
    createAdapter: () => sqliteAdapter,
    createDriver: () => createDriver(connection),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/**
 * Creates a driver with one connection for all queries, which serializes them itself. It refuses Kysely's transactions,
 * because the store begins them itself to commit several jobs at once.
 */
function createDriver(connection: Connection): Driver {
  const shared: DatabaseConnection = {
    executeQuery: (query) => connection.executeQuery(query),
    streamQuery() {
      throw new Error("Streams are not supported; page through the rows instead.");
    },
  };
  const doNothing = async (): Promise<void> => {};
  return {
    init: doNothing,
    acquireConnection: async () => shared,
    async beginTransaction() {
      throw new Error("Only the store begins transactions: use store.write().");
    },
    commitTransaction: doNothing,
    rollbackTransaction: doNothing,
    releaseConnection: doNothing,
    destroy: doNothing,
  };
}
