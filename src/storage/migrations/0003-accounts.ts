import type { Kysely } from "kysely";
import { textType } from "./column-types.js";

/**
 * People's accounts with their sessions, memberships and invitations; what keys may do and what became of them; the
 * log of who did what to keys and plans; requests counted by the minute.
 */
export async function createAccountTables(db: Kysely<unknown>): Promise<void> {
  await extendKeys(db);
  await createAccounts(db);
  await createSessions(db);
  await createInvitations(db);
  await createAuditEvents(db);
  await createRequestCounts(db);
}

async function extendKeys(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .alterTable("api_keys")
    .addColumn("access", text, (column) => column.notNull().defaultTo("full"))
    .execute();
  for (const column of ["replaced_by", "created_by"]) {
    await db.schema.alterTable("api_keys").addColumn(column, text).execute();
  }
}

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable("accounts")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("email", text, (column) => column.notNull().unique())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("password_hash", text, (column) => column.notNull())
    .addColumn("created_time", "bigint", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("members")
    .addColumn("workspace_id", text, (column) => column.notNull())
    .addColumn("account_id", text, (column) => column.notNull())
    .addColumn("role", text, (column) => column.notNull())
    .addColumn("created_time", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("members_pk", ["workspace_id", "account_id"])
    .execute();
  await db.schema
    .createIndex("members_by_account")
    .on("members")
    .columns(["account_id", "workspace_id"])
    .execute();
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable("sessions")
    .addColumn("hash", text, (column) => column.primaryKey())
    .addColumn("account_id", text, (column) => column.notNull())
    .addColumn("workspace_id", text, (column) => column.notNull())
    .addColumn("csrf_token", text, (column) => column.notNull())
    .addColumn("created_time", "bigint", (column) => column.notNull())
    .addColumn("last_seen_time", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("sessions_by_account").on("sessions").column("account_id").execute();
  await db.schema.createIndex("sessions_by_time").on("sessions").column("last_seen_time").execute();
}

async function createInvitations(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable("invitations")
    .addColumn("workspace_id", text, (column) => column.notNull())
    .addColumn("id", text, (column) => column.notNull())
    .addColumn("hash", text, (column) => column.notNull().unique())
    .addColumn("role", text, (column) => column.notNull())
    .addColumn("created_by", text, (column) => column.notNull())
    .addColumn("created_time", "bigint", (column) => column.notNull())
    .addColumn("expires_time", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("invitations_pk", ["workspace_id", "id"])
    .execute();
}

async function createAuditEvents(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable("audit_events")
    .addColumn("workspace_id", text, (column) => column.notNull())
    .addColumn("id", text, (column) => column.notNull())
    .addColumn("time", "bigint", (column) => column.notNull())
    .addColumn("actor_type", text, (column) => column.notNull())
    .addColumn("actor_id", text)
    .addColumn("actor_name", text, (column) => column.notNull())
    .addColumn("action", text, (column) => column.notNull())
    .addColumn("subject_id", text)
    .addColumn("subject_name", text, (column) => column.notNull())
    .addColumn("detail", text, (column) => column.notNull())
    .addPrimaryKeyConstraint("audit_events_pk", ["workspace_id", "id"])
    .execute();
}

async function createRequestCounts(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable("request_counts")
    .addColumn("workspace_id", text, (column) => column.notNull())
    .addColumn("minute", "bigint", (column) => column.notNull())
    .addColumn("passed", "bigint", (column) => column.notNull())
    .addColumn("refused", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("request_counts_pk", ["workspace_id", "minute"])
    .execute();
  await db.schema.createIndex("request_counts_by_minute").on("request_counts").column("minute").execute();
}
