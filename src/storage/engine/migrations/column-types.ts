import { sql, type Kysely, type RawBuilder } from "kysely";
import { isPostgres } from "../dialect.js";

/**
 * Column type of texts. Both databases compare them byte by byte; PostgreSQL would use the collation of the database
 * otherwise.
 */
export function getTextType(db: Kysely<unknown>): RawBuilder<unknown> {
  return isPostgres(db) ? sql`text collate "C"` : sql`text`;
}
