import {
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
} from "kysely";

// One for all, so that a query compiled through one Kysely instance is known to fit the others.
const adapter = new SqliteAdapter();

const connections = new WeakMap<object, DatabaseConnection>();

/** Opens Kysely over a connection of ours. */
export function openKysely<Tables>(connection: DatabaseConnection): Kysely<Tables> {
  const db = new Kysely<Tables>({ dialect: sqliteDialect(connection) });
  connections.set(db, connection);
  return db;
}

/**
 * The connection under a Kysely instance of `openKysely`: executing a compiled query on it costs half of what
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
    createAdapter: () => adapter,
    createDriver: () => new SharedConnectionDriver(connection),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Hands out one connection to everybody: each query is a single synchronous step, so none can come between. */
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
