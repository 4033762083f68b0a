import { expect, test } from "vitest";
import { createAccounts } from "../../../src/access/accounts.js";
import { TooManyAttemptsError, UserError } from "../../../src/access/checks.js";
import { createMemoryCounterFactory } from "../../../src/access/counters.js";
import { MAX_PASSWORD_FORMS_PER_MINUTE } from "../../../src/budgets.js";
import { openTestStore } from "../storage/open.js";

test("an address can send a limited number of forms with a password per minute, and another address is not affected", async () => {
  const reasons: string[] = [];
  const accounts = createAccounts({
    store: await openTestStore(":memory:"),
    counters: createMemoryCounterFactory(),
    registration: "closed",
    onFailedSignIn: ({ reason }) => reasons.push(reason),
  });
  const signIn = (index: number, address: string): Promise<unknown> =>
    accounts.signIn({
      email: `${index}@example.org`,
      password: "a wrong password",
      address,
      deviceToken: undefined,
      invitation: "",
    });
  // Forms of all kinds are counted together. Uses resets with an invalid link, because hashing passwords takes a minute.
  for (let index = 0; index < MAX_PASSWORD_FORMS_PER_MINUTE; index += 1) {
    await expect(accounts.resetPassword("invalid", "a long password", "192.0.2.1")).rejects.toThrow(
      UserError,
    );
  }
  await expect(signIn(1000, "192.0.2.1")).rejects.toThrow(TooManyAttemptsError);
  expect(reasons).toEqual(["too many attempts"]);
  expect(await signIn(1001, "192.0.2.2")).toBeUndefined();
});
