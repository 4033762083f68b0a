import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  RawNode,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type RawBuilder,
} from "kysely";

/** Connection for queries. Unlike Kysely's connections it has no streams, which would keep a read open during writes. */
export type Connection = Pick<DatabaseConnection, "executeQuery">;

// One adapter per dialect, so that it identifies the dialect of a compiled query.
const sqliteAdapter = new SqliteAdapter();
const postgresAdapter = new PostgresAdapter();

// Shared by all instances of Kysely, of which every write creates one: a compiler consists of a hundred functions.
const sqliteCompiler = new SqliteQueryCompiler();
const postgresCompiler = new PostgresQueryCompiler();

const connections = new WeakMap<object, Connection>();

export function openSqlite<Tables>(connection: Connection): Kysely<Tables> {
  return openKysely(connection, {
    createAdapter: () => sqliteAdapter,
    createDriver: () => createDriver(connection),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => sqliteCompiler,
  });
}

export function openPostgres<Tables>(connection: Connection): Kysely<Tables> {
  return openKysely(connection, {
    createAdapter: () => postgresAdapter,
    createDriver: () => createDriver(connection),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => postgresCompiler,
  });
}

/** Returns the schema in which PostgreSQL creates tables; undefined on SQLite. Other schemas may have tables of the same names. */
export async function readCurrentSchema<Tables>(db: Kysely<Tables>): Promise<string | undefined> {
  if (!isPostgres(db)) return undefined;
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(db);
  return rows[0]?.name;
}

/** Whether a query is a SELECT or EXPLAIN. */
export function isRead({ query, sql: text }: CompiledQuery): boolean {
  return SelectQueryNode.is(query) || (RawNode.is(query) && /^\s*(select|explain)\b/i.test(text));
}

/** Throws an error for a query other than a SELECT or EXPLAIN. */
export function requireRead(query: CompiledQuery): void {
  if (isRead(query)) return;
  throw new Error("store.read is read-only: use store.write().");
}

function openKysely<Tables>(connection: Connection, dialect: Dialect): Kysely<Tables> {
  const db = new Kysely<Tables>({ dialect });
  connections.set(db, connection);
  return db;
}

export function isPostgres<Tables>(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** Returns the column type of texts. They are compared byte by byte; PostgreSQL would use its collation otherwise. */
export function getTextType(db: Kysely<unknown>): RawBuilder<unknown> {
  return isPostgres(db) ? sql`text collate "C"` : sql`text`;
}

/** Returns the connection of a Kysely instance, which executes a compiled query in half the time, without plugins. */
export function getConnection(db: object): Connection | undefined {
  return connections.get(db);
}

/** Creates a driver with one connection. It refuses transactions, which the store begins itself to commit writes together. */
function createDriver(connection: Connection): Driver {
  const shared: DatabaseConnection = {
    executeQuery: (query) => connection.executeQuery(query),
    streamQuery() {
      throw new Error("Streams are not supported; page through the rows instead.");
    },
  };
  return Object.assign(new DummyDriver(), {
    acquireConnection: async () => shared,
    async beginTransaction() {
      throw new Error("Only the store begins transactions: use store.write().");
    },
  });
}
