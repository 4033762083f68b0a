import { expect, test } from "vitest";
import { signIn } from "../../../../src/access/accounts/sign-in.js";
import { setPasswordHash } from "../../../../src/storage/access/accounts.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import { createAccount } from "../../../support/accounts.js";
import { PASSWORD } from "../../../support/visitor.js";
import { openTestStore } from "../../storage/open.js";

test("a password that changes while it is verified begins no session", async () => {
  const store = await openTestStore(":memory:");
  const account = await createAccount(store, "Ada");
  const form = { password: PASSWORD, invitationToken: undefined };
  const signInto = (target: Store) =>
    signIn(target, account, form, {
      registration: "open",
      client: { key: "client", isKnown: false },
      checkRateLimit: async () => {},
    });
  expect(await signInto(store)).toBeDefined();
  const changing: Store = {
    ...store,
    async writeWithoutInvalidation(write) {
      await store.writeServiceWide((tx) => setPasswordHash(tx, account.id, "changed"));
      return store.writeWithoutInvalidation(write);
    },
  };
  expect(await signInto(changing)).toBeUndefined();
});
