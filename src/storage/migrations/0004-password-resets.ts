import type { Kysely } from "kysely";
import { textType } from "./column-types.js";

/** Links by which somebody who forgot their password chooses another, once. */
export async function createPasswordResets(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable("password_resets")
    .addColumn("account_id", text, (column) => column.primaryKey())
    .addColumn("hash", text, (column) => column.notNull().unique())
    .addColumn("expires_time", "bigint", (column) => column.notNull())
    .execute();
}
