import { sql, type Kysely } from "kysely";
import { isPostgres } from "../engine/dialect.js";

/** Collects statistics of the imported rows, without which PostgreSQL would plan queries badly until autovacuum runs. */
export async function collectStatistics<Tables>(db: Kysely<Tables>): Promise<void> {
  if (isPostgres(db)) await sql`analyze pages, property_values, page_texts, blocks`.execute(db);
}
