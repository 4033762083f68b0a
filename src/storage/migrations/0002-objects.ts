import { sql, type CreateTableBuilder, type Kysely } from "kysely";
import type { ObjectColumns } from "../tables.js";
import { indexPages } from "./0002-values.js";
import { textType } from "./column-types.js";

/**
 * Users, blocks, comments, typed property values and kept answers; pages and databases with any parent and in the
 * trash. Tables that change are made anew, because SQLite cannot alter the constraints of a column.
 */
export async function createObjectTables(db: Kysely<unknown>): Promise<void> {
  await createUsers(db);
  await createDatabases(db);
  await createPages(db);
  await createBlocks(db);
  await createPropertyValues(db);
  await createComments(db);
  await createIdempotencyKeys(db);
  await indexPages(db);
}

async function createUsers(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable("users")
    .addColumn("workspace_id", text, (column) => column.notNull())
    .addColumn("id", text, (column) => column.notNull())
    .addColumn("type", text, (column) => column.notNull())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("email", text)
    .addColumn("avatar_url", text)
    .addColumn("created_time", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("users_pk", ["workspace_id", "id"])
    .execute();
  await sql`
    insert into users (workspace_id, id, type, name, created_time)
    select workspace_id, id, 'bot', name, created_time from api_keys
  `.execute(db);
}

/** Adds what pages, databases and blocks have in common, see ObjectColumns. */
function withObjectColumns(
  db: Kysely<unknown>,
  table: CreateTableBuilder<string>,
): CreateTableBuilder<string, keyof ObjectColumns> {
  const text = textType(db);
  return table
    .addColumn("workspace_id", text, (column) => column.notNull())
    .addColumn("id", text, (column) => column.notNull())
    .addColumn("parent_type", text, (column) => column.notNull())
    .addColumn("parent_id", text)
    .addColumn("created_time", "bigint", (column) => column.notNull())
    .addColumn("last_edited_time", "bigint", (column) => column.notNull())
    .addColumn("created_by", text, (column) => column.notNull())
    .addColumn("last_edited_by", text, (column) => column.notNull())
    .addColumn("in_trash", "integer", (column) => column.notNull())
    .addColumn("trash_root", text)
    .addColumn("version", "bigint", (column) => column.notNull().defaultTo(0));
}

async function createDatabases(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await withObjectColumns(db, db.schema.createTable("databases_2"))
    .addColumn("title", text, (column) => column.notNull())
    .addColumn("title_text", text, (column) => column.notNull())
    .addColumn("description", text, (column) => column.notNull())
    .addColumn("icon", text)
    .addColumn("cover", text)
    .addColumn("is_inline", "integer", (column) => column.notNull())
    .addColumn("properties", text, (column) => column.notNull())
    .addColumn("last_unique_number", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("databases_2_pk", ["workspace_id", "id"])
    .execute();
  // Until now every database was the workspace's own, and called "Pages".
  await sql`
    insert into databases_2 (workspace_id, id, parent_type, created_time, last_edited_time, created_by, last_edited_by,
      in_trash, version, title, title_text, description, is_inline, properties, last_unique_number)
    select workspace_id, id, 'workspace', created_time, last_edited_time, created_by, last_edited_by,
      0, version, title, 'pages', '[]', 0, properties, 0 from databases
  `.execute(db);
}

async function createPages(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await withObjectColumns(db, db.schema.createTable("pages_2"))
    .addColumn("title_text", text, (column) => column.notNull())
    .addColumn("icon", text)
    .addColumn("cover", text)
    .addColumn("properties", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("pages_2_pk", ["workspace_id", "id"])
    .execute();
  await sql`
    insert into pages_2 (workspace_id, id, parent_type, parent_id, created_time, last_edited_time, created_by,
      last_edited_by, in_trash, trash_root, version, title_text, icon, cover, properties)
    select workspace_id, id, 'database_id', database_id, created_time, last_edited_time, created_by,
      last_edited_by, in_trash, case when in_trash = 1 then id end, version, '', icon, cover, properties from pages
  `.execute(db);
  await db.schema.dropTable("pages").execute();
  await db.schema.dropTable("databases").execute();
  for (const table of ["databases", "pages"]) {
    await db.schema.alterTable(`${table}_2`).renameTo(table).execute();
    const index = (name: string) => db.schema.createIndex(`${table}_${name}`).on(table);
    await index("by_parent").columns(["workspace_id", "parent_id", "in_trash", "id"]).execute();
    await index("by_edit").columns(["workspace_id", "in_trash", "last_edited_time", "id"]).execute();
  }
  // What queries of a database sort and filter by besides properties.
  for (const time of ["created_time", "last_edited_time"]) {
    await db.schema
      .createIndex(`pages_by_${time}`)
      .on("pages")
      .columns(["workspace_id", "parent_id", "in_trash", time, "id"])
      .execute();
  }
}

async function createBlocks(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await withObjectColumns(db, db.schema.createTable("blocks"))
    .addColumn("page_id", text, (column) => column.notNull())
    .addColumn("position", text, (column) => column.notNull())
    .addColumn("type", text, (column) => column.notNull())
    .addColumn("content", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("blocks_pk", ["workspace_id", "id"])
    .execute();
  await db.schema
    .createIndex("blocks_by_position")
    .on("blocks")
    .columns(["workspace_id", "parent_id", "position"])
    .unique()
    .execute();
  // What lists of children read: those that are in the trash can be many, and must not be walked over.
  await db.schema
    .createIndex("blocks_shown")
    .on("blocks")
    .columns(["workspace_id", "parent_id", "position"])
    .where(sql.ref("in_trash"), "=", sql.lit(0))
    .execute();
  await db.schema.createIndex("blocks_by_page").on("blocks").columns(["workspace_id", "page_id"]).execute();
}

async function createPropertyValues(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable("property_values")
    .addColumn("workspace_id", text, (column) => column.notNull())
    .addColumn("page_id", text, (column) => column.notNull())
    .addColumn("database_id", text, (column) => column.notNull())
    .addColumn("property_id", text, (column) => column.notNull())
    .addColumn("ordinal", "integer", (column) => column.notNull())
    .addColumn("text_key", text)
    .addColumn("long_text", text)
    .addColumn("number_key", "double precision")
    .addPrimaryKeyConstraint("property_values_pk", ["workspace_id", "page_id", "property_id", "ordinal"])
    .execute();
  for (const key of ["text_key", "number_key"]) {
    await db.schema
      .createIndex(`property_values_by_${key}`)
      .on("property_values")
      .columns(["workspace_id", "database_id", "property_id", key, "page_id"])
      .where(sql.ref(key), "is not", null)
      .execute();
  }
}

async function createComments(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable("comments")
    .addColumn("workspace_id", text, (column) => column.notNull())
    .addColumn("id", text, (column) => column.notNull())
    .addColumn("parent_type", text, (column) => column.notNull())
    .addColumn("parent_id", text, (column) => column.notNull())
    .addColumn("discussion_id", text, (column) => column.notNull())
    .addColumn("rich_text", text, (column) => column.notNull())
    .addColumn("created_time", "bigint", (column) => column.notNull())
    .addColumn("last_edited_time", "bigint", (column) => column.notNull())
    .addColumn("created_by", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("comments_pk", ["workspace_id", "id"])
    .execute();
  for (const owner of ["parent_id", "discussion_id"]) {
    await db.schema
      .createIndex(`comments_by_${owner}`)
      .on("comments")
      .columns(["workspace_id", owner, "id"])
      .execute();
  }
}

async function createIdempotencyKeys(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable("idempotency_keys")
    .addColumn("workspace_id", text, (column) => column.notNull())
    .addColumn("key_id", text, (column) => column.notNull())
    .addColumn("idempotency_key", text, (column) => column.notNull())
    .addColumn("fingerprint", text, (column) => column.notNull())
    .addColumn("status", "integer", (column) => column.notNull())
    .addColumn("body", text, (column) => column.notNull())
    .addColumn("created_time", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("idempotency_keys_pk", ["workspace_id", "key_id", "idempotency_key"])
    .execute();
  await db.schema
    .createIndex("idempotency_keys_by_time")
    .on("idempotency_keys")
    .column("created_time")
    .execute();
}
