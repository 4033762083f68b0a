import { sql, type Kysely, type RawBuilder } from "kysely";
import { isPostgres } from "../dialect.js";

/**
 * The column type for texts that are compared: byte by byte everywhere, as SQLite does by itself. PostgreSQL would go by
 * the language that the database was made for.
 */
export function textType(db: Kysely<unknown>): RawBuilder<unknown> {
  return isPostgres(db) ? sql`text collate "C"` : sql`text`;
}
