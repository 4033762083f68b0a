import type { Kysely } from "kysely";
import { textType } from "./column-types.js";

/** Creates the tables of access: workspaces, API keys, accounts, members, sessions, invitations, audit log, counts. */
export async function createAccessTables(db: Kysely<unknown>): Promise<void> {
  await createWorkspaces(db);
  await createKeys(db);
  await createAccounts(db);
  await createSessions(db);
  await createPasswordResets(db);
  await createInvitations(db);
  await createAuditEvents(db);
  await createRequestCounts(db);
}

async function createWorkspaces(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable("workspaces")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("name", text, (column) => column.notNull().unique())
    .addColumn("plan", text, (column) => column.notNull())
    .addColumn("request_limit", "integer")
    .addColumn("created_time", "bigint", (column) => column.notNull())
    .execute();
}

async function createKeys(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable("api_keys")
    .addColumn("workspace_id", text, (column) => column.notNull().references("workspaces.id"))
    .addColumn("id", text, (column) => column.notNull())
    // Unique in the whole service: authentication knows no workspace yet.
    .addColumn("hash", text, (column) => column.notNull().unique())
    .addColumn("prefix", text, (column) => column.notNull())
    .addColumn("last_four", text, (column) => column.notNull())
    .addColumn("name", text, (column) => column.notNull())
    .addColumn("created_time", "bigint", (column) => column.notNull())
    .addColumn("expires_time", "bigint")
    .addColumn("revoked_time", "bigint")
    .addColumn("last_used_time", "bigint")
    .addColumn("access", text, (column) => column.notNull())
    .addColumn("replaced_by", text)
    .addColumn("created_by", text)
    .addPrimaryKeyConstraint("api_keys_pk", ["workspace_id", "id"])
    .execute();
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
    .addColumn("workspace_id", text, (column) => column.notNull().references("workspaces.id"))
    .addColumn("account_id", text, (column) => column.notNull().references("accounts.id"))
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

async function createPasswordResets(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable("password_resets")
    .addColumn("account_id", text, (column) => column.primaryKey().references("accounts.id"))
    .addColumn("hash", text, (column) => column.notNull().unique())
    .addColumn("expires_time", "bigint", (column) => column.notNull())
    .execute();
}

async function createInvitations(db: Kysely<unknown>): Promise<void> {
  const text = textType(db);
  await db.schema
    .createTable("invitations")
    .addColumn("workspace_id", text, (column) => column.notNull().references("workspaces.id"))
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
    .addColumn("workspace_id", text, (column) => column.notNull().references("workspaces.id"))
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
    .addColumn("workspace_id", text, (column) => column.notNull().references("workspaces.id"))
    .addColumn("minute", "bigint", (column) => column.notNull())
    .addColumn("passed", "bigint", (column) => column.notNull())
    .addColumn("refused", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("request_counts_pk", ["workspace_id", "minute"])
    .execute();
  await db.schema.createIndex("request_counts_by_minute").on("request_counts").column("minute").execute();
}
