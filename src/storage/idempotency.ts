import type { Kysely } from "kysely";
import type { Tables } from "./tables.js";

/** Which answer is meant: Idempotency-Keys are told apart by the API key that they came with. */
export interface AnswerKey {
  readonly workspaceId: string;
  readonly keyId: string;
  readonly idempotencyKey: string;
}

/** An answer that was kept for requests that are sent again. */
export interface KeptAnswer {
  /** SHA-256, hexadecimal, of what was asked for. */
  readonly fingerprint: string;
  readonly status: number;
  /** JSON. */
  readonly body: string;
  /** JSON; null where the answer has none of its own. */
  readonly headers: string | null;
}

/** How long answers are kept, in milliseconds: a day. */
export const ANSWER_LIFE = 24 * 60 * 60 * 1000;

/** Reads the answer that is kept for a key; undefined when there is none, or it is too old at `now`. */
export async function findAnswer(
  tx: Kysely<Tables>,
  key: AnswerKey,
  now: number,
): Promise<KeptAnswer | undefined> {
  return tx
    .selectFrom("idempotency_keys")
    .select(["fingerprint", "status", "body", "headers"])
    .where("workspace_id", "=", key.workspaceId)
    .where("key_id", "=", key.keyId)
    .where("idempotency_key", "=", key.idempotencyKey)
    .where("created_time", ">", now - ANSWER_LIFE)
    .limit(1)
    .executeTakeFirst();
}

/** Keeps an answer; it takes the place of one that is too old. */
export async function keepAnswer(
  tx: Kysely<Tables>,
  key: AnswerKey,
  answer: KeptAnswer,
  now: number,
): Promise<void> {
  const { fingerprint, status, body, headers } = answer;
  const values = { fingerprint, status, body, headers, created_time: now };
  await tx
    .insertInto("idempotency_keys")
    .values({
      workspace_id: key.workspaceId,
      key_id: key.keyId,
      idempotency_key: key.idempotencyKey,
      ...values,
    })
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "key_id", "idempotency_key"]).doUpdateSet(values),
    )
    .execute();
}

/**
 * Removes answers that are too old at `now`.
 *
 * @param count How many at most, so that others need not wait for long.
 * @returns How many were removed.
 */
export async function removeOldAnswers(tx: Kysely<Tables>, now: number, count: number): Promise<number> {
  const old = await tx
    .selectFrom("idempotency_keys")
    .select(["workspace_id", "key_id", "idempotency_key"])
    .where("created_time", "<=", now - ANSWER_LIFE)
    .orderBy("created_time")
    .limit(count)
    .execute();
  if (old.length === 0) return 0;
  const { numDeletedRows } = await tx
    .deleteFrom("idempotency_keys")
    // Once more: by now a request may have taken the place of one.
    .where("created_time", "<=", now - ANSWER_LIFE)
    .where((where) => where.or(old.map((key) => where.and(key))))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
