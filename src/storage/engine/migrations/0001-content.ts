import { sql, type Kysely, type RawBuilder } from "kysely";
import { getTextType, isPostgres } from "../dialect.js";

/** Builds the tables of content. A parent has one of several types, so that no foreign key can refer to it. */
export function buildContentTables(db: Kysely<unknown>): RawBuilder<unknown>[] {
  const text = getTextType(db);
  const bytes = isPostgres(db) ? sql`bytea` : sql`blob`;
  // SQLite stores the rows of such a table in its primary key, which saves a second copy of the key.
  const withoutRowId = isPostgres(db) ? sql`` : sql`without rowid`;
  // Columns that pages, databases and blocks have in common.
  const objectColumns = sql`
    workspace_id ${text} not null references workspaces (id),
    id ${text} not null,
    parent_type ${text} not null,
    parent_id ${text},
    created_time bigint not null,
    last_edited_time bigint not null,
    created_by ${text} not null,
    last_edited_by ${text} not null,
    in_trash integer not null,
    trash_root ${text},
    version bigint not null default 0`;
  return [
    sql`create table users (
      workspace_id ${text} not null references workspaces (id),
      id ${text} not null,
      type ${text} not null,
      name ${text} not null,
      email ${text},
      avatar_url ${text},
      created_time bigint not null,
      constraint users_pk primary key (workspace_id, id)
    )`,
    // Without bots, one for each API key, which have no address.
    sql`create index users_by_email on users (workspace_id, email, id) where email is not null`,
    sql`create table databases (
      ${objectColumns},
      plain_title ${text} not null,
      title ${text} not null,
      title_text ${text} not null,
      description ${text} not null,
      icon ${text},
      cover ${text},
      is_inline integer not null,
      properties ${text} not null,
      last_unique_number bigint not null,
      conversion_job_id ${text},
      pages_version bigint not null default 0,
      constraint databases_pk primary key (workspace_id, id)
    )`,
    // A partial index for the list of databases, which skips those in the trash.
    sql`create index databases_shown on databases (workspace_id, id) where in_trash = 0`,
    sql`create index databases_by_edit on databases (workspace_id, in_trash, last_edited_time, id)`,
    // Indexes of trash roots, the objects that were moved to the trash by themselves.
    sql`create index databases_trash_roots on databases (workspace_id, last_edited_time, id) where trash_root = id`,
    sql`create table pages (
      ${objectColumns},
      plain_title ${text} not null,
      title_text ${text} not null,
      icon ${text},
      cover ${text},
      properties ${text} not null,
      constraint pages_pk primary key (workspace_id, id)
    )`,
    sql`create index pages_by_parent on pages (workspace_id, parent_id, in_trash, id)`,
    sql`create index pages_by_edit on pages (workspace_id, in_trash, last_edited_time, id)`,
    // Database queries also sort and filter by these times.
    sql`create index pages_by_created_time on pages (workspace_id, parent_id, in_trash, created_time, id)`,
    sql`create index pages_by_last_edited_time
      on pages (workspace_id, parent_id, in_trash, last_edited_time, id)`,
    sql`create index pages_in_trash on pages (workspace_id, parent_id, trash_root) where in_trash = 1`,
    sql`create index pages_trash_roots on pages (workspace_id, last_edited_time, id) where trash_root = id`,
    sql`create table blocks (
      ${objectColumns},
      page_id ${text} not null,
      position ${text} not null,
      type ${text} not null,
      content ${text} not null,
      constraint blocks_pk primary key (workspace_id, id),
      constraint blocks_page_fk foreign key (workspace_id, page_id) references pages (workspace_id, id)
    )`,
    sql`create unique index blocks_by_position on blocks (workspace_id, parent_id, position)`,
    // A partial index for lists of children, which skips the blocks in the trash.
    sql`create index blocks_shown on blocks (workspace_id, parent_id, position) where in_trash = 0`,
    sql`create index blocks_by_page on blocks (workspace_id, page_id)`,
    // Without the time of the edit: PostgreSQL would write all index entries again with each change of a block.
    sql`create index blocks_in_trash on blocks (workspace_id, parent_id, trash_root) where in_trash = 1`,
    sql`create index blocks_trash_roots on blocks (workspace_id, id) where trash_root = id`,
    sql`create table property_values (
      workspace_id ${text} not null,
      page_id ${text} not null,
      database_id ${text} not null,
      property_id ${text} not null,
      ordinal integer not null,
      text_key ${text},
      number_key double precision,
      end_key double precision,
      constraint property_values_pk primary key (workspace_id, page_id, property_id, ordinal),
      constraint property_values_page_fk
        foreign key (workspace_id, page_id) references pages (workspace_id, id)
    ) ${withoutRowId}`,
    sql`create index property_values_by_text_key
      on property_values (workspace_id, database_id, property_id, text_key, page_id)
      where text_key is not null`,
    sql`create index property_values_by_number_key
      on property_values (workspace_id, database_id, property_id, number_key, page_id)
      where number_key is not null`,
    // With a rowid, because SQLite compares rows as a whole in a table without one.
    sql`create table long_texts (
      workspace_id ${text} not null,
      page_id ${text} not null,
      property_id ${text} not null,
      ordinal integer not null,
      text ${text} not null,
      constraint long_texts_pk primary key (workspace_id, page_id, property_id, ordinal),
      constraint long_texts_page_fk
        foreign key (workspace_id, page_id) references pages (workspace_id, id)
    )`,
    ...(isPostgres(db) ? [] : buildPlannerStatistics()),
    ...buildTextIndex(db),
    sql`create table comments (
      workspace_id ${text} not null references workspaces (id),
      id ${text} not null,
      parent_type ${text} not null,
      parent_id ${text} not null,
      discussion_id ${text} not null,
      rich_text ${text} not null,
      created_time bigint not null,
      last_edited_time bigint not null,
      created_by ${text} not null,
      constraint comments_pk primary key (workspace_id, id)
    )`,
    sql`create index comments_by_parent_id on comments (workspace_id, parent_id, id)`,
    sql`create index comments_by_discussion_id on comments (workspace_id, discussion_id, id)`,
    // Not stored in the primary key, whose random order would leave a third of each database page empty.
    sql`create table idempotency_keys (
      workspace_id ${text} not null references workspaces (id),
      id ${bytes} not null,
      fingerprint ${bytes} not null,
      status integer not null,
      content ${bytes},
      created_time bigint not null,
      constraint idempotency_keys_pk primary key (workspace_id, id)
    )`,
    sql`create index idempotency_keys_by_time on idempotency_keys (workspace_id, created_time)`,
    sql`create table idempotency_usage (
      workspace_id ${text} not null primary key references workspaces (id),
      bytes bigint not null
    )`,
    sql`create table jobs (
      workspace_id ${text} not null references workspaces (id),
      id ${text} not null,
      kind ${text} not null,
      object_id ${text} not null,
      property_ids ${text} not null,
      done_count bigint not null,
      total_count bigint,
      created_time bigint not null,
      owner ${text} not null,
      lease_time bigint not null,
      constraint jobs_pk primary key (workspace_id, id)
    )`,
    // Without the lease, which every batch changes.
    sql`create index jobs_by_kind on jobs (workspace_id, kind, id)`,
    sql`create index jobs_by_object on jobs (workspace_id, kind, object_id)`,
    sql`create table pages_to_reconvert (
      workspace_id ${text} not null,
      database_id ${text} not null,
      page_id ${text} not null,
      constraint pages_to_reconvert_pk primary key (workspace_id, database_id, page_id),
      constraint pages_to_reconvert_page_fk
        foreign key (workspace_id, page_id) references pages (workspace_id, id)
    ) ${withoutRowId}`,
  ];
}

/** Gives SQLite's planner statistics of `property_values`: the number of rows, and of rows with the same first columns. */
function buildPlannerStatistics(): RawBuilder<unknown>[] {
  return [
    // Creates the table of the statistics.
    sql`analyze sqlite_schema`,
    // The name of the table stands for its primary key.
    sql`insert into sqlite_stat1 (tbl, idx, stat) values
      ('property_values', 'property_values', '1000000 100000 10 2 1'),
      ('property_values', 'property_values_by_text_key', '500000 50000 10000 1000 10 1'),
      ('property_values', 'property_values_by_number_key', '500000 50000 10000 1000 10 1')`,
    // Loads the statistics.
    sql`analyze sqlite_schema`,
  ];
}

/** Builds the statements that create the index of texts: GIN on PostgreSQL, FTS5 on SQLite. Neither needs an extension. */
function buildTextIndex(db: Kysely<unknown>): RawBuilder<unknown>[] {
  const text = getTextType(db);
  const key = sql`workspace_id ${text} not null, page_id ${text} not null`;
  const foreignKey = sql`constraint page_texts_page_fk
    foreign key (workspace_id, page_id) references pages (workspace_id, id)`;
  if (isPostgres(db)) {
    return [
      sql`create table page_texts (
        ${key},
        trigrams integer[] not null,
        constraint page_texts_pk primary key (workspace_id, page_id),
        ${foreignKey}
      )`,
      // GIN collects new entries in a list of up to 4 MB by default, and the write that fills it moves them all into the index.
      sql`create index page_texts_by_trigram on page_texts using gin (trigrams)
        with (gin_pending_list_limit = 128)`,
    ];
  }
  return [
    sql`create table page_texts (
      ${key},
      number integer primary key,
      constraint page_texts_unique unique (workspace_id, page_id),
      ${foreignKey}
    )`,
    // Contentless, because page_texts has the page ids. Without positions, because no query uses phrases.
    sql`create virtual table page_trigrams using fts5(
      tokens, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`,
    // FTS5 merges at least 64 of its pages at once. With its own 4,050 bytes that can take some hundred milliseconds.
    sql`insert into page_trigrams (page_trigrams, rank) values ('pgsz', 1000)`,
  ];
}
