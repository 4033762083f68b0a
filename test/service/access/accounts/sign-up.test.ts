import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "../../../../src/access/accounts/passwords.js";
import { signUp } from "../../../../src/access/accounts/sign-up.js";
import { createInvitation, withdrawInvitation } from "../../../../src/access/workspaces/invitations.js";
import { HASH_QUEUE } from "../../../../src/budgets.js";
import { newId } from "../../../../src/domain/ids.js";
import { findAccountByEmail, insertMember } from "../../../../src/storage/access/accounts.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import { createAccount, PASSWORD_HASH } from "../../../support/accounts.js";
import { PASSWORD } from "../../../support/visitor.js";
import { addDatabase } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";

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
  const attempt = (registration: "closed" | "invite", invitationToken: string | undefined) =>
    signUp(
      store,
      { ...form, invitationToken },
      { registration, clientKey: client.key, checkRateLimit: async () => {} },
    );
  await expect(attempt("closed", undefined)).rejects.toThrow("Registration is closed");
  await expect(attempt("invite", "unknown")).rejects.toThrow(
    "This invitation is no longer valid. Ask for a new link.",
  );
  await hashes;
});

test("an invitation that is withdrawn while the password is hashed creates no account", async () => {
  const store = await openTestStore();
  const { workspaceId } = await addDatabase(store);
  const { id: accountId, name: accountName } = await createAccount(store, "Ada");
  await store.write(workspaceId, (scope) => insertMember(scope, accountId, "owner", 0));
  const session = { workspaceId, accountId, accountName };
  const invitationId = newId();
  const invitationToken = await createInvitation(store, session, invitationId, "member");
  const withdrawing: Store = {
    ...store,
    async writeServiceWide(write) {
      await withdrawInvitation(store, session, invitationId);
      return store.writeServiceWide(write);
    },
  };
  const form = { name: "Eve", email: "eve@example.org", password: PASSWORD, invitationToken };
  await expect(
    signUp(withdrawing, form, {
      registration: "invite",
      clientKey: "client",
      checkRateLimit: async () => {},
    }),
  ).rejects.toThrow("This invitation is no longer valid.");
  expect(await findAccountByEmail(store.read, form.email)).toBeUndefined();
});

/** Creates an account while registration is open. */
async function signUpOpenly(form: { name: string; password: string }) {
  const store = await openTestStore();
  const email = "eve@example.org";
  await signUp(
    store,
    { ...form, email, invitationToken: undefined },
    { registration: "open", clientKey: "client", checkRateLimit: async () => {} },
  );
  return findAccountByEmail(store.read, email);
}

test("the name of an account has no spaces around it", async () => {
  expect(await signUpOpenly({ name: " Eve ", password: PASSWORD })).toMatchObject({ name: "Eve" });
});

test("the e-mail address is refused as the password of a new account", async () => {
  await expect(signUpOpenly({ name: "Eve", password: "Eve@example.org" })).rejects.toThrow(
    "Do not use your e-mail address as the password.",
  );
});
