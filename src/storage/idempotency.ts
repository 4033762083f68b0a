import { type OperandValueExpressionOrList, sql } from "kysely";
import { EVICTED_RESPONSES_PER_WRITE, RESPONSE_TTL_MS } from "../budgets.js";
import { sumBy } from "../lists.js";
import type { Db, StorageScope, Tables } from "./tables.js";
import { deleteFrom, insertInto, selectFrom } from "./workspace-rows.js";

export type StoredResponse = Readonly<Pick<Tables["idempotency_keys"], "fingerprint" | "status" | "content">>;

/** Disk space of a stored response without its content, including both indexes. */
const ROW_BYTES = 260;

const RESPONSE_BYTES = sql<number>`coalesce(length(content), 0) + ${sql.lit(ROW_BYTES)}`.as("size");

/** Reads a stored response by the hash of its API key and Idempotency-Key. Deletes a response that has expired at `now`. */
export async function findOrExpireStoredResponse(
  scope: StorageScope,
  id: Uint8Array,
  now: number,
): Promise<StoredResponse | undefined> {
  const row = await selectFrom(scope, "idempotency_keys")
    .select(["fingerprint", "status", "content", "created_time"])
    .where("id", "=", id)
    .limit(1)
    .executeTakeFirst();
  if (row === undefined || row.created_time > now - RESPONSE_TTL_MS) return row;
  await deleteResponses(scope, [id]);
  return undefined;
}

/** Stores a new response. When the workspace exceeds its quota, deletes its oldest responses, up to a limit per write. */
export async function storeResponse(
  scope: StorageScope,
  id: Uint8Array,
  { fingerprint, status, content }: StoredResponse,
  { now, quotaBytes }: { readonly now: number; readonly quotaBytes: number },
): Promise<void> {
  const row = { id, fingerprint, status, content, created_time: now };
  await insertInto(scope, "idempotency_keys", row).execute();
  const usedBytes = await addToUsage(scope, ROW_BYTES + (content?.length ?? 0));
  if (usedBytes <= quotaBytes) return;
  const oldest = await selectFrom(scope, "idempotency_keys")
    .select(RESPONSE_BYTES)
    .orderBy("created_time")
    .orderBy("id")
    .limit(EVICTED_RESPONSES_PER_WRITE)
    .execute();
  let excessBytes = usedBytes - quotaBytes;
  let deletedCount = 0;
  for (const { size } of oldest) {
    if (excessBytes <= 0) break;
    excessBytes -= size;
    deletedCount += 1;
  }
  // Deletes the same rows, because both statements have the same order.
  await deleteOldest(scope, deletedCount);
}

/** Lists the workspaces with responses that have expired at `now`, up to `limit`. */
export async function findWorkspacesWithExpiredResponses(
  db: Db,
  now: number,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("idempotency_usage")
    .select("workspace_id")
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("idempotency_keys")
          .select("id")
          .whereRef("idempotency_keys.workspace_id", "=", "idempotency_usage.workspace_id")
          .where("created_time", "<=", now - RESPONSE_TTL_MS),
      ),
    )
    .limit(limit)
    .execute();
  return rows.map((row) => row.workspace_id);
}

/** Deletes up to `limit` responses of a workspace that have expired at `now`, and returns their number. */
export function deleteExpiredResponses(scope: StorageScope, now: number, limit: number): Promise<number> {
  return deleteOldest(scope, limit, now - RESPONSE_TTL_MS);
}

function deleteOldest(
  scope: StorageScope,
  limit: number,
  maxCreatedTime = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  const oldest = selectFrom(scope, "idempotency_keys")
    .select("id")
    .where("created_time", "<=", maxCreatedTime)
    .orderBy("created_time")
    .orderBy("id")
    .limit(limit);
  // A subquery, because libsql does not accept the ids that it returns as parameters.
  return deleteResponses(scope, oldest);
}

/** Deletes responses, whose bytes no longer count, and returns their number. */
async function deleteResponses(
  scope: StorageScope,
  ids: OperandValueExpressionOrList<Tables, "idempotency_keys", "id">,
): Promise<number> {
  const deleted = await deleteFrom(scope, "idempotency_keys")
    .where("id", "in", ids)
    .returning(RESPONSE_BYTES)
    .execute();
  await addToUsage(scope, -sumBy(deleted, ({ size }) => size));
  return deleted.length;
}

/** Adds to the bytes that the stored responses of a workspace use, and returns the sum. */
async function addToUsage(scope: StorageScope, bytes: number): Promise<number> {
  const { bytes: usedBytes } = await insertInto(scope, "idempotency_usage", { bytes })
    .onConflict((conflict) =>
      conflict.column("workspace_id").doUpdateSet({ bytes: sql`idempotency_usage.bytes + ${bytes}` }),
    )
    .returning("bytes")
    .executeTakeFirstOrThrow();
  return usedBytes;
}
