import type { Kysely } from "kysely";
import type { Tables } from "./tables.js";

/** Whose password a link is for. */
export interface PasswordReset {
  readonly accountId: string;
  readonly name: string;
  readonly email: string;
}

/**
 * Keeps the link by which an account gets a new password, of which `hash` is the SHA-256 of its token. An earlier one
 * works no more.
 */
export async function putPasswordReset(
  tx: Kysely<Tables>,
  reset: { accountId: string; hash: string; expiresTime: number },
): Promise<void> {
  await deletePasswordReset(tx, reset.accountId);
  await tx
    .insertInto("password_resets")
    .values({ account_id: reset.accountId, hash: reset.hash, expires_time: reset.expiresTime })
    .execute();
}

/** Reads whose password the link of a hash is for; undefined when there is none that is valid at a time. */
export async function findPasswordReset(
  db: Kysely<Tables>,
  hash: string,
  now: number,
): Promise<PasswordReset | undefined> {
  return db
    .selectFrom("password_resets as r")
    .innerJoin("accounts as a", "a.id", "r.account_id")
    .select(["a.id as accountId", "a.name", "a.email"])
    .where("r.hash", "=", hash)
    .where("r.expires_time", ">", now)
    .executeTakeFirst();
}

/** Ends the link of an account; nothing when there is none. */
export async function deletePasswordReset(tx: Kysely<Tables>, accountId: string): Promise<void> {
  await tx.deleteFrom("password_resets").where("account_id", "=", accountId).execute();
}
