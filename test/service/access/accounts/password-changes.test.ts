import { expect, onTestFinished, test, vi } from "vitest";
import { createSetupToken } from "../../../../src/access/workspaces/invitations.js";
import { createKeyAsOperator } from "../../../../src/access/keys/operator-keys.js";
import {
  changePassword,
  createPasswordReset,
  resetPassword,
} from "../../../../src/access/accounts/password-changes.js";
import { continueSession } from "../../../../src/access/accounts/sessions.js";
import { signUp } from "../../../../src/access/accounts/sign-up.js";
import { readDeviceToken } from "../../../../src/access/accounts/tokens.js";
import { findAccount } from "../../../../src/storage/access/accounts.js";
import { HOUR_MS } from "../../../../src/units.js";
import { createAccount } from "../../../support/accounts.js";
import { openTestStore } from "../../storage/open.js";

const PASSWORD = "correct horse battery";

test("of two concurrent changes of a password one is refused", async () => {
  const store = await openTestStore();
  await createKeyAsOperator(store, { workspaceName: "Acme" });
  const invitationToken = await createSetupToken(store);
  const form = { name: "Ada", email: "ada@example.org", password: PASSWORD, invitationToken };
  const signedIn = await signUp(store, form, {
    registration: "invite",
    clientKey: "",
    checkRateLimit: async () => {},
  });
  const session = await continueSession(store, signedIn?.sessionToken ?? "");
  if (session === undefined) throw new Error("The account has no session.");
  const changes = await Promise.allSettled(
    ["staple", "saddle"].map((word) =>
      changePassword(store, session, { current: PASSWORD, new: `${word} battery horse` }, ""),
    ),
  );
  const accepted = changes.flatMap((change) => (change.status === "fulfilled" ? [change.value] : []));
  expect(accepted).toHaveLength(1);
  const account = await findAccount(store.read, session.accountId);
  // The browser stays known with the new password.
  expect(readDeviceToken(accepted[0]?.deviceToken, account?.passwordHash)).toBeDefined();
  expect(changes.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { message: "The password has changed in the meantime. Sign in with the new one." },
  });
});

test("a reset link that expires while the password is hashed is refused", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const store = await openTestStore();
  const { email } = await createAccount(store, "Ada");
  const token = await createPasswordReset(store, email);
  vi.advanceTimersByTime(HOUR_MS - 1);
  const reset = resetPassword(
    store,
    { token, password: PASSWORD },
    { registration: "invite", clientKey: "" },
  );
  // The first check has read the time already.
  vi.advanceTimersByTime(1);
  await expect(reset).rejects.toThrow("This link is no longer valid.");
});
