import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "../../../src/access/passwords.js";
import { NO_INVITATION } from "../../../src/access/sign-in.js";
import { signUp } from "../../../src/access/sign-up.js";
import { HASH_QUEUE } from "../../../src/budgets.js";
import { createAccount, PASSWORD_HASH } from "../../support/accounts.js";
import { PASSWORD } from "../../support/visitor.js";
import { openTestStore } from "../storage/open.js";

test("a sign-up that is not allowed is refused without hashing its password", async () => {
  const store = await openTestStore();
  await createAccount(store, "Ada");
  const client = { key: "client", isKnown: false };
  // So many hashes wait that a further one would be refused as busy.
  const hashes = Promise.allSettled([
    ...Array.from({ length: HASH_QUEUE.slotsPerTenant }, () => hashPassword(PASSWORD, client)),
    ...Array.from({ length: HASH_QUEUE.maxWaitingPerTenant }, () =>
      verifyPassword(PASSWORD, PASSWORD_HASH, client),
    ),
  ]);
  const form = { name: "Eve", email: "eve@example.org", password: PASSWORD };
  const attempt = (registration: "closed" | "invite", invitationToken: string) =>
    signUp(store, { ...form, invitationToken }, registration, client.key, async () => {});
  await expect(attempt("closed", NO_INVITATION)).rejects.toThrow("Registration is closed");
  await expect(attempt("invite", "unknown")).rejects.toThrow(
    "This invitation is no longer valid. Ask for a new link.",
  );
  await hashes;
});
