import type { Kysely } from "kysely";
import { textType } from "./column-types.js";

/** Answers that are kept for requests that come again have headers of their own, such as a page's ETag. */
export async function addAnswerHeaders(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("idempotency_keys").addColumn("headers", textType(db)).execute();
}
