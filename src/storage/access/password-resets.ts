import { toSnakeCase } from "../column-names.js";
import type { Db } from "../tables.js";
import type { AccountIdentity } from "./accounts.js";

/** Stores the reset link of an account. Replaces an earlier one. `hash` is the SHA-256 of its token. */
export async function replacePasswordReset(
  tx: Db,
  reset: { accountId: string; hash: string; expiresTime: number },
): Promise<void> {
  await deletePasswordReset(tx, reset.accountId);
  await tx.insertInto("password_resets").values(toSnakeCase(reset)).execute();
}

/** Finds the account of an unexpired reset link by the hash of its token. */
export function findAccountOfReset(db: Db, hash: string, now: number): Promise<AccountIdentity | undefined> {
  return db
    .selectFrom("password_resets as r")
    .innerJoin("accounts as a", "a.id", "r.account_id")
    .select(["a.id", "a.name", "a.email"])
    .where("r.hash", "=", hash)
    .where("r.expires_time", ">", now)
    .limit(1)
    .executeTakeFirst();
}

export async function deletePasswordReset(tx: Db, accountId: string): Promise<void> {
  await tx.deleteFrom("password_resets").where("account_id", "=", accountId).execute();
}
