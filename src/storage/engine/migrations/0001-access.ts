import { sql, type Kysely, type RawBuilder } from "kysely";
import { getTextType } from "../dialect.js";

/** Builds the statements that create the tables of access: workspaces, API keys, accounts, sessions, log and counts. */
export function buildAccessTables(db: Kysely<unknown>): RawBuilder<unknown>[] {
  const text = getTextType(db);
  return [
    sql`create table workspaces (
      id ${text} not null primary key,
      name ${text} not null unique,
      plan ${text} not null,
      request_limit integer,
      created_time bigint not null,
      counted_bytes bigint not null default 0,
      written_bytes bigint not null default 0,
      counted_time bigint not null default 0
    )`,
    // Hashes are unique in the whole service: authentication knows no workspace yet.
    sql`create table api_keys (
      workspace_id ${text} not null references workspaces (id),
      id ${text} not null,
      hash ${text} not null unique,
      prefix ${text} not null,
      last_four ${text} not null,
      name ${text} not null,
      created_time bigint not null,
      expires_time bigint,
      revoked_time bigint,
      last_used_time bigint,
      access ${text} not null,
      replaced_by ${text},
      created_by ${text},
      constraint api_keys_pk primary key (workspace_id, id)
    )`,
    sql`create index api_keys_newest
      on api_keys (workspace_id, (revoked_time is not null), created_time desc, id desc)`,
    sql`create index api_keys_by_creator on api_keys (workspace_id, created_by, id) where revoked_time is null`,
    sql`create table accounts (
      id ${text} not null primary key,
      email ${text} not null unique,
      name ${text} not null,
      password_hash ${text} not null,
      created_time bigint not null
    )`,
    sql`create table members (
      workspace_id ${text} not null references workspaces (id),
      account_id ${text} not null references accounts (id),
      role ${text} not null,
      created_time bigint not null,
      constraint members_pk primary key (workspace_id, account_id)
    )`,
    sql`create index members_by_time on members (workspace_id, created_time, account_id)`,
    sql`create index members_by_account on members (account_id, workspace_id)`,
    sql`create table sessions (
      hash ${text} not null primary key,
      account_id ${text} not null,
      workspace_id ${text} not null,
      csrf_token ${text} not null,
      created_time bigint not null,
      last_seen_time bigint not null
    )`,
    sql`create index sessions_by_account on sessions (account_id)`,
    sql`create index sessions_by_time on sessions (last_seen_time)`,
    sql`create table password_resets (
      account_id ${text} not null primary key references accounts (id),
      hash ${text} not null unique,
      expires_time bigint not null
    )`,
    sql`create table invitations (
      workspace_id ${text} not null references workspaces (id),
      id ${text} not null,
      hash ${text} not null unique,
      role ${text} not null,
      created_by ${text} not null,
      created_time bigint not null,
      expires_time bigint not null,
      constraint invitations_pk primary key (workspace_id, id)
    )`,
    sql`create index invitations_by_expiry on invitations (expires_time)`,
    sql`create table audit_events (
      workspace_id ${text} not null references workspaces (id),
      id ${text} not null,
      time bigint not null,
      actor_type ${text} not null,
      actor_id ${text},
      actor_name ${text} not null,
      action ${text} not null,
      subject_id ${text},
      subject_name ${text} not null,
      detail ${text} not null,
      constraint audit_events_pk primary key (workspace_id, id)
    )`,
    // For the number of keys and invitations that an account has created. Its other entries can be very many.
    sql`create index audit_events_by_actor on audit_events (workspace_id, actor_id, action, time)`,
    sql`create table request_counts (
      workspace_id ${text} not null references workspaces (id),
      minute bigint not null,
      passed bigint not null,
      refused bigint not null,
      constraint request_counts_pk primary key (workspace_id, minute)
    )`,
    sql`create index request_counts_by_minute on request_counts (minute)`,
  ];
}
