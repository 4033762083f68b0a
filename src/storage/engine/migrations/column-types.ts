import { sql, type CreateTableBuilder, type Kysely, type RawBuilder } from "kysely";
import { isPostgres } from "../dialect.js";

/**
 * The column type of texts. They are compared byte by byte in both databases: PostgreSQL would follow the language that
 * the database was created for.
 */
export function textType(db: Kysely<unknown>): RawBuilder<unknown> {
  return isPostgres(db) ? sql`text collate "C"` : sql`text`;
}

/** The column type of bytes. */
export function bytesType(db: Kysely<unknown>): "bytea" | "blob" {
  return isPostgres(db) ? "bytea" : "blob";
}

/** Stores the rows of a SQLite table in its primary key, which saves a second copy of the key. */
export function storeInPrimaryKey<Table extends string, Column extends string>(
  db: Kysely<unknown>,
  table: CreateTableBuilder<Table, Column>,
): CreateTableBuilder<Table, Column> {
  return isPostgres(db) ? table : table.modifyEnd(sql`without rowid`);
}
