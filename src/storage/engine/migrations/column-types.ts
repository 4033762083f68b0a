import { sql, type CreateTableBuilder, type Kysely, type RawBuilder } from "kysely";
import { isPostgres } from "../dialect.js";

/**
 * Column type of texts. Both databases compare them byte by byte; PostgreSQL would use the collation of the database
 * otherwise.
 */
export function textType(db: Kysely<unknown>): RawBuilder<unknown> {
  return isPostgres(db) ? sql`text collate "C"` : sql`text`;
}

/** Column type of bytes. */
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
