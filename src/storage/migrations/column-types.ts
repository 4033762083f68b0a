import { PostgresAdapter, sql, type Kysely, type RawBuilder } from "kysely";

/** Whether the tables are made on PostgreSQL; SQLite else. */
export function isPostgres(db: Kysely<unknown>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * The column type for texts that are compared: byte by byte everywhere, as SQLite does by itself. PostgreSQL would go by
 * the language that the database was made for.
 */
export function textType(db: Kysely<unknown>): RawBuilder<unknown> {
  return isPostgres(db) ? sql`text collate "C"` : sql`text`;
}
