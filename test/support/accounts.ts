import { scryptSync } from "node:crypto";
import { newId } from "../../src/domain/ids.js";
import { type Account, insertAccount } from "../../src/storage/access/accounts.js";
import type { Store } from "../../src/storage/engine/store.js";
import { PASSWORD } from "./visitor.js";

/** Hash of PASSWORD with cheap parameters. Those of production take a quarter of a second of processor time. */
export const PASSWORD_HASH = `scrypt$10$1$1$AAAA$${scryptSync(PASSWORD, Buffer.from("AAAA", "base64url"), 32, { N: 1024, r: 1, p: 1 }).toString("base64url")}`;

/** Creates an account with PASSWORD and the address that `Visitor.signUp` uses for the name. */
export async function createAccount(store: Store, name: string): Promise<Account> {
  const email = `${name.toLowerCase()}@example.org`;
  const account = { id: newId(), email, name, passwordHash: PASSWORD_HASH, createdTime: Date.now() };
  await store.writeServiceWide((tx) => insertAccount(tx, account));
  return account;
}
