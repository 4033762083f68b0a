import type { Kysely } from "kysely";
import { newId } from "../domain/ids.js";
import type { AuditEventsTable } from "./account-tables.js";
import { compileOnce } from "./compile-once.js";
import type { Tables } from "./tables.js";

/** Who does something to keys, plans or members: a person who signed in, or who runs commands on the machine. */
export interface Actor {
  readonly type: AuditEventsTable["actor_type"];
  readonly id: string | null;
  readonly name: string;
}

/** What was done, for the log. */
export interface AuditEntry {
  readonly action: string;
  readonly subjectId: string | null;
  readonly subjectName: string;
  /** Text for people; empty when there is nothing to add. */
  readonly detail: string;
}

/** An entry of the log, with who made it and when, in milliseconds since 1970. */
export interface AuditEvent extends AuditEntry {
  readonly id: string;
  readonly time: number;
  readonly actor: Actor;
}

/** Adds an entry to the log of a workspace, in the transaction of what it tells of. */
export async function insertAuditEvent(
  tx: Kysely<Tables>,
  workspaceId: string,
  actor: Actor,
  entry: AuditEntry,
  time: number,
): Promise<void> {
  await tx
    .insertInto("audit_events")
    .values({
      workspace_id: workspaceId,
      id: newId(),
      time,
      actor_type: actor.type,
      actor_id: actor.id,
      actor_name: actor.name,
      action: entry.action,
      subject_id: entry.subjectId,
      subject_name: entry.subjectName,
      detail: entry.detail,
    })
    .execute();
}

const selectEvents = compileOnce((db, workspaceId: string, count: number) =>
  db
    .selectFrom("audit_events")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .orderBy("id", "desc")
    .limit(count),
);

const selectExtent = compileOnce((db, workspaceId: string, count: number) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom("audit_events")
        .select("id")
        .where("workspace_id", "=", workspaceId)
        .orderBy("id", "desc")
        .limit(count)
        .as("newest"),
    )
    .select((select) => [
      select.fn.min("id").as("first"),
      select.fn.max("id").as("last"),
      select.fn.countAll<number>().as("count"),
    ]),
);

/**
 * A text for the newest entries of a workspace's log, so many of them. As long as it is the same, so are they: entries never
 * change, and where one comes in, another one falls out or there is one more.
 */
export async function auditExtent(db: Kysely<Tables>, workspaceId: string, count: number): Promise<string> {
  const [row] = await selectExtent(db, workspaceId, count);
  return `${row?.first} ${row?.last} ${row?.count}`;
}

/** Reads the newest entries of a workspace's log, the newest first. */
export async function listAuditEvents(
  db: Kysely<Tables>,
  workspaceId: string,
  count: number,
): Promise<AuditEvent[]> {
  const rows = await selectEvents(db, workspaceId, count);
  return rows.map((row) => ({
    id: row.id,
    time: row.time,
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    action: row.action,
    subjectId: row.subject_id,
    subjectName: row.subject_name,
    detail: row.detail,
  }));
}
