import { newId } from "../../domain/ids.js";
import { chunk } from "../../lists.js";
import type { AccessTables, AuditAction } from "./tables.js";
import { toCamelCase, toSnakeCase } from "../column-names.js";
import type { Db, StorageScope } from "../tables.js";
import { selectFrom } from "../workspace-rows.js";

/** Rows of one INSERT, because SQL dialects limit the number of parameters. */
const ROWS_PER_INSERT = 100;

/** The author of a logged change: an account, or the operator, who runs commands on the machine. */
export interface Actor {
  readonly type: AccessTables["audit_events"]["actor_type"];
  readonly id: string | null;
  readonly name: string;
}

/** An event to add to the audit log. */
export interface NewAuditEvent {
  readonly action: AuditAction;
  readonly subjectId: string | null;
  readonly subjectName: string;
  /** Text for people; empty when omitted. */
  readonly detail?: string;
}

/** An event in the audit log. The time is in milliseconds since 1970. */
export interface AuditEvent extends Required<NewAuditEvent> {
  readonly id: string;
  readonly time: number;
  readonly actor: Actor;
}

/** Adds an event to the audit log of a workspace, in the transaction of the change. */
export function insertAuditEvent(scope: StorageScope, actor: Actor, event: NewAuditEvent): Promise<void> {
  return insertAuditEvents(scope.db, [scope.workspaceId], actor, event);
}

/** Adds an event to the audit logs of several workspaces, in the transaction of the change. */
export async function insertAuditEvents(
  tx: Db,
  workspaceIds: readonly string[],
  actor: Actor,
  event: NewAuditEvent,
): Promise<void> {
  const columns = {
    ...toSnakeCase({ detail: "", ...event }),
    time: Date.now(),
    actor_type: actor.type,
    actor_id: actor.id,
    actor_name: actor.name,
  };
  for (const part of chunk(workspaceIds, ROWS_PER_INSERT)) {
    const rows = part.map((workspaceId) => ({ ...columns, workspace_id: workspaceId, id: newId() }));
    await tx.insertInto("audit_events").values(rows).execute();
  }
}

interface AuditQuery {
  readonly actorId: string;
  readonly actions: readonly AuditAction[];
  /** Only entries after this time. */
  readonly since: number;
  readonly count: number;
}

/** Reads the time of the `count`-th newest entry of an actor with one of the actions; undefined if there are fewer entries. */
export async function findNthNewestTime(
  scope: StorageScope,
  { actorId, actions, since, count }: AuditQuery,
): Promise<number | undefined> {
  const row = await selectFrom(scope, "audit_events")
    .select("time")
    .where("actor_id", "=", actorId)
    .where("action", "in", actions)
    .where("time", ">", since)
    .orderBy("time", "desc")
    .limit(1)
    .offset(count - 1)
    .executeTakeFirst();
  return row?.time;
}

/** Reads the newest events of a workspace's audit log, newest first. */
export async function findAuditEvents(scope: StorageScope, count: number): Promise<AuditEvent[]> {
  const events = selectFrom(scope, "audit_events").selectAll().orderBy("id", "desc").limit(count);
  return (await events.execute()).map(({ actor_type: type, actor_id: id, actor_name: name, ...event }) => ({
    ...toCamelCase(event),
    actor: { type, id, name },
  }));
}
