import { sql, type CreateTableBuilder, type Kysely } from "kysely";
import type { ObjectColumns } from "../../tables.js";
import { isPostgres } from "../dialect.js";
import { bytesType, storeInPrimaryKey, textType } from "./column-types.js";

/**
 * Creates the tables of content: users, databases, pages, blocks, property values, comments, stored idempotent
 * responses and jobs. Parents of pages, databases, blocks and comments have one of several types, so that no foreign key can
 * refer to them.
 */
export async function createContentTables(db: Kysely<unknown>): Promise<void> {
  await createUsers(db);
  await createDatabases(db);
  await createPages(db);
  await createBlocks(db);
  await createPropertyValues(db);
  await createTextIndex(db);
  await createComments(db);
  await createIdempotencyKeys(db);
  await createJobs(db);
}

async function createUsers(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable("users")
    .addColumn("workspace_id", text, (column) => column.notNull().references("workspaces.id"))
    .addColumn("id", text, (column) => column.notNull())
    .addColumn("type", text, (column) => column.notNull())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("email", text)
    .addColumn("avatar_url", text)
    .addColumn("created_time", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("users_pk", ["workspace_id", "id"])
    .execute();
}

/** Adds the columns that pages, databases and blocks have in common. */
function addObjectColumns<Table extends string>(
  db: Kysely<unknown>,
  table: CreateTableBuilder<Table>,
): CreateTableBuilder<Table, keyof ObjectColumns> {
  const text = textType(db);
  return table
    .addColumn("workspace_id", text, (column) => column.notNull().references("workspaces.id"))
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
  await addObjectColumns(db, db.schema.createTable("databases"))
    .addColumn("title", text, (column) => column.notNull())
    .addColumn("title_text", text, (column) => column.notNull())
    .addColumn("description", text, (column) => column.notNull())
    .addColumn("icon", text)
    .addColumn("cover", text)
    .addColumn("is_inline", "integer", (column) => column.notNull())
    .addColumn("properties", text, (column) => column.notNull())
    .addColumn("last_unique_number", "bigint", (column) => column.notNull())
    .addColumn("conversion_id", text)
    .addPrimaryKeyConstraint("databases_pk", ["workspace_id", "id"])
    .execute();
  await indexObjects(db, "databases");
}

async function createPages(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await addObjectColumns(db, db.schema.createTable("pages"))
    .addColumn("title_text", text, (column) => column.notNull())
    .addColumn("icon", text)
    .addColumn("cover", text)
    .addColumn("properties", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("pages_pk", ["workspace_id", "id"])
    .execute();
  await indexObjects(db, "pages");
  // Database queries also sort and filter by these columns.
  for (const time of ["created_time", "last_edited_time"]) {
    await db.schema
      .createIndex(`pages_by_${time}`)
      .on("pages")
      .columns(["workspace_id", "parent_id", "in_trash", time, "id"])
      .execute();
  }
}

async function indexObjects(db: Kysely<unknown>, table: "databases" | "pages"): Promise<void> {
  await db.schema
    .createIndex(`${table}_by_parent`)
    .on(table)
    .columns(["workspace_id", "parent_id", "in_trash", "id"])
    .execute();
  await db.schema
    .createIndex(`${table}_by_edit`)
    .on(table)
    .columns(["workspace_id", "in_trash", "last_edited_time", "id"])
    .execute();
}

async function createBlocks(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await addObjectColumns(db, db.schema.createTable("blocks"))
    .addColumn("page_id", text, (column) => column.notNull())
    .addColumn("position", text, (column) => column.notNull())
    .addColumn("type", text, (column) => column.notNull())
    .addColumn("content", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("blocks_pk", ["workspace_id", "id"])
    .addForeignKeyConstraint("blocks_page_fk", ["workspace_id", "page_id"], "pages", ["workspace_id", "id"])
    .execute();
  await db.schema
    .createIndex("blocks_by_position")
    .on("blocks")
    .columns(["workspace_id", "parent_id", "position"])
    .unique()
    .execute();
  // A partial index for lists of children, which skips the blocks in the trash.
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
  const table = db.schema
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
    .addForeignKeyConstraint("property_values_page_fk", ["workspace_id", "page_id"], "pages", [
      "workspace_id",
      "id",
    ]);
  await storeInPrimaryKey(db, table).execute();
  for (const key of ["text_key", "number_key"]) {
    await db.schema
      .createIndex(`property_values_by_${key}`)
      .on("property_values")
      .columns(["workspace_id", "database_id", "property_id", key, "page_id"])
      .where(sql.ref(key), "is not", null)
      .execute();
  }
}

/** Creates the index of texts: GIN on PostgreSQL, FTS5 on SQLite. Neither needs an extension. */
async function createTextIndex(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  const table = db.schema
    .createTable("page_texts")
    .addColumn("workspace_id", text, (column) => column.notNull())
    .addColumn("page_id", text, (column) => column.notNull())
    .addForeignKeyConstraint("page_texts_page_fk", ["workspace_id", "page_id"], "pages", [
      "workspace_id",
      "id",
    ]);
  const key = ["workspace_id", "page_id"] as const;
  if (isPostgres(db)) {
    await table
      .addPrimaryKeyConstraint("page_texts_pk", [...key])
      .addColumn("trigrams", sql`integer[]`, (column) => column.notNull())
      .execute();
    await sql`create index page_texts_by_trigram on page_texts using gin (trigrams)`.execute(db);
    return;
  }
  await table
    .addUniqueConstraint("page_texts_unique", [...key])
    .addColumn("number", "integer", (column) => column.primaryKey())
    .execute();
  // Contentless, because page_texts has the page ids. Without positions, because no query uses phrases.
  await sql`create virtual table page_trigrams using fts5(
    tokens, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`.execute(db);
  // FTS5 merges at least 64 of its pages at once. With its own 4,050 bytes that can take some hundred milliseconds.
  await sql`insert into page_trigrams (page_trigrams, rank) values ('pgsz', 1000)`.execute(db);
}

async function createComments(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable("comments")
    .addColumn("workspace_id", text, (column) => column.notNull().references("workspaces.id"))
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
  const bytes = bytesType(db);
  // Not stored in the primary key, whose random order would leave a third of each database page empty.
  await db.schema
    .createTable("idempotency_keys")
    .addColumn("workspace_id", text, (column) => column.notNull().references("workspaces.id"))
    .addColumn("id", bytes, (column) => column.notNull())
    .addColumn("fingerprint", bytes, (column) => column.notNull())
    .addColumn("status", "integer", (column) => column.notNull())
    .addColumn("content", bytes)
    .addColumn("created_time", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("idempotency_keys_pk", ["workspace_id", "id"])
    .execute();
  await db.schema
    .createIndex("idempotency_keys_by_time")
    .on("idempotency_keys")
    .columns(["workspace_id", "created_time"])
    .execute();
  await db.schema
    .createTable("idempotency_usage")
    .addColumn("workspace_id", text, (column) => column.primaryKey().references("workspaces.id"))
    .addColumn("bytes", "bigint", (column) => column.notNull())
    .execute();
}

async function createJobs(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable("jobs")
    .addColumn("workspace_id", text, (column) => column.notNull().references("workspaces.id"))
    .addColumn("id", text, (column) => column.notNull())
    .addColumn("kind", text, (column) => column.notNull())
    .addColumn("object_id", text, (column) => column.notNull())
    .addColumn("property_ids", text, (column) => column.notNull())
    .addColumn("done", "bigint", (column) => column.notNull())
    .addColumn("total", "bigint")
    .addColumn("created_time", "bigint", (column) => column.notNull())
    .addColumn("owner", text, (column) => column.notNull())
    .addColumn("lease_time", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("jobs_pk", ["workspace_id", "id"])
    .execute();
  await db.schema.createIndex("jobs_by_lease").on("jobs").column("lease_time").execute();
  const changed = db.schema
    .createTable("changed_pages")
    .addColumn("workspace_id", text, (column) => column.notNull())
    .addColumn("database_id", text, (column) => column.notNull())
    .addColumn("page_id", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("changed_pages_pk", ["workspace_id", "database_id", "page_id"])
    .addForeignKeyConstraint("changed_pages_page_fk", ["workspace_id", "page_id"], "pages", [
      "workspace_id",
      "id",
    ]);
  await storeInPrimaryKey(db, changed).execute();
}
