import type { Kysely } from "kysely";
import { textType } from "./column-types.js";

/** Workspaces, keys, databases and their pages. */
export async function createPagesTables(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable("workspaces")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("name", text, (column) => column.notNull().unique())
    .addColumn("plan", text, (column) => column.notNull())
    .addColumn("request_limit", "integer")
    .addColumn("created_time", "bigint", (column) => column.notNull())
    .execute();

  await db.schema
    .createTable("api_keys")
    .addColumn("workspace_id", text, (column) => column.notNull().references("workspaces.id"))
    .addColumn("id", text, (column) => column.notNull())
    // The one look-up that does not know the workspace yet.
    .addColumn("hash", text, (column) => column.notNull().unique())
    .addColumn("prefix", text, (column) => column.notNull())
    .addColumn("last_four", text, (column) => column.notNull())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("created_time", "bigint", (column) => column.notNull())
    .addColumn("expires_time", "bigint")
    .addColumn("revoked_time", "bigint")
    .addColumn("last_used_time", "bigint")
    .addPrimaryKeyConstraint("api_keys_pk", ["workspace_id", "id"])
    .execute();

  await db.schema
    .createTable("databases")
    .addColumn("workspace_id", text, (column) => column.notNull().references("workspaces.id"))
    .addColumn("id", text, (column) => column.notNull())
    .addColumn("title", text, (column) => column.notNull())
    .addColumn("properties", text, (column) => column.notNull())
    .addColumn("created_time", "bigint", (column) => column.notNull())
    .addColumn("last_edited_time", "bigint", (column) => column.notNull())
    .addColumn("created_by", text, (column) => column.notNull())
    .addColumn("last_edited_by", text, (column) => column.notNull())
    .addColumn("version", "bigint", (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint("databases_pk", ["workspace_id", "id"])
    .execute();

  await db.schema
    .createTable("pages")
    .addColumn("workspace_id", text, (column) => column.notNull())
    .addColumn("id", text, (column) => column.notNull())
    .addColumn("database_id", text, (column) => column.notNull())
    .addColumn("created_time", "bigint", (column) => column.notNull())
    .addColumn("last_edited_time", "bigint", (column) => column.notNull())
    .addColumn("created_by", text, (column) => column.notNull())
    .addColumn("last_edited_by", text, (column) => column.notNull())
    .addColumn("icon", text)
    .addColumn("cover", text)
    .addColumn("in_trash", "integer", (column) => column.notNull())
    .addColumn("properties", text, (column) => column.notNull())
    .addColumn("version", "bigint", (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint("pages_pk", ["workspace_id", "id"])
    .addForeignKeyConstraint("pages_database_fk", ["workspace_id", "database_id"], "databases", [
      "workspace_id",
      "id",
    ])
    .execute();
}
