import { expect, onTestFinished, test, vi } from "vitest";
import { createAccountService, type FailedSignIn } from "../../../../src/access/accounts/account-service.js";
import { TooManyAttemptsError, UserError } from "../../../../src/errors.js";
import { createMemoryCounterFactory } from "../../../../src/access/limits/counters.js";
import { inviteToWorkspace } from "../../../../src/access/workspaces/invitations.js";
import type { Session } from "../../../../src/access/accounts/sessions.js";
import { createDeviceToken } from "../../../../src/access/accounts/tokens.js";
import {
  MAX_PASSWORD_FORMS_PER_MINUTE,
  MAX_REGISTRATIONS_PER_HOUR,
  MAX_SIGN_UPS_PER_INVITATION_PER_DAY,
} from "../../../../src/budgets.js";
import { createAccount, PASSWORD_HASH } from "../../../support/accounts.js";
import { PASSWORD } from "../../../support/visitor.js";
import { createWatchedCounters } from "../limits/watched-counters.js";
import { addDatabase } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";

async function openAccounts(options: Partial<Parameters<typeof createAccountService>[0]> = {}) {
  const store = await openTestStore(":memory:");
  const accounts = createAccountService({
    store,
    counters: createMemoryCounterFactory(),
    registration: "closed",
    onFailedSignIn: () => {},
    ...options,
  });
  return { store, accounts };
}

/** Creates counters, and records the keys of each by its prefix. */
function recordKeys() {
  const keys: Record<string, string[]> = {};
  return { keys, counters: createWatchedCounters((key, prefix) => (keys[prefix] ??= []).push(key)) };
}

test("an address can send a limited number of forms with a password per minute, and another address is not affected", async () => {
  const failures: FailedSignIn[] = [];
  const { store, accounts } = await openAccounts({ onFailedSignIn: (failure) => failures.push(failure) });
  const signIn = (index: number, address: string): Promise<unknown> =>
    accounts.signIn({
      email: `${index}@example.org`,
      password: "a wrong password",
      address,
      deviceToken: undefined,
      invitationToken: undefined,
    });
  // Forms of all kinds are counted together. Uses resets with an invalid link, because hashing passwords takes a minute.
  for (let index = 0; index < MAX_PASSWORD_FORMS_PER_MINUTE; index += 1) {
    await expect(accounts.resetPassword("invalid", "a long password", "192.0.2.1")).rejects.toThrow(
      UserError,
    );
  }
  // A form beyond the limit is refused before its account is looked up.
  await createAccount(store, "1000");
  await expect(signIn(1000, "192.0.2.1")).rejects.toThrow(TooManyAttemptsError);
  expect(failures).toEqual([{ address: "192.0.2.1", accountId: undefined, reason: "too many attempts" }]);
  expect(await signIn(1001, "192.0.2.2")).toBeUndefined();
});

test.each([
  ["address", () => "192.0.2.1"],
  ["IPv6 /48", (email: string) => `2001:db8:1:${Number.parseInt(email)}::1`],
])(
  "an %s can create a limited number of workspaces per hour, also with invited accounts",
  async (_, getAddress) => {
    const { store, accounts } = await openAccounts({ registration: "open" });
    const names = Array.from({ length: MAX_REGISTRATIONS_PER_HOUR + 1 }, (_, index) => String(index));
    const emails: string[] = [];
    for (const name of names) emails.push((await createAccount(store, name)).email);
    const signIn = (email: string, invitationToken?: string): Promise<unknown> =>
      accounts.signIn({
        email,
        password: PASSWORD,
        address: getAddress(email),
        deviceToken: undefined,
        invitationToken,
      });
    const last = emails.pop() ?? "";
    for (const email of emails) expect(await signIn(email)).toBeDefined();
    await expect(signIn(last)).rejects.toThrow(TooManyAttemptsError);
    // Accounts that have a workspace, or join one, are not limited.
    expect(await signIn(emails[0] ?? "")).toBeDefined();
    expect(await signIn(last, await inviteToWorkspace(store, "0's workspace", "member"))).toBeDefined();
  },
);

test("a limited number of accounts can be created from an IPv6 /48 per hour", async () => {
  const { store, accounts } = await openAccounts({ registration: "open" });
  await createAccount(store, "Owner");
  const signUp = (index: number, network = 1) => {
    const form = {
      name: "Ada",
      email: `${index}@example.org`,
      password: PASSWORD,
      invitationToken: undefined,
    };
    return accounts.signUp(form, `2001:db8:${network}:${index}::1`);
  };
  const indexes = Array.from({ length: MAX_REGISTRATIONS_PER_HOUR }, (_, index) => index);
  await Promise.all(indexes.map((index) => signUp(index)));
  await expect(signUp(20)).rejects.toThrow(TooManyAttemptsError);
  expect(await signUp(20, 2)).toBeUndefined();
});

test("a limited number of accounts can be created with an invitation, from all addresses, and another invitation is not affected", async () => {
  const { counters, keys } = recordKeys();
  const { store, accounts } = await openAccounts({ registration: "invite", counters });
  const { workspaceName } = await addDatabase(store);
  await createAccount(store, "Owner");
  const invite = () => inviteToWorkspace(store, workspaceName, "member");
  const signUp = (index: number, invitationToken: string) =>
    accounts.signUp(
      { name: "Eve", email: `${index}@example.org`, password: PASSWORD, invitationToken },
      `192.0.${index}.1`,
    );
  const [used, other] = [await invite(), await invite()];
  const indexes = Array.from({ length: MAX_SIGN_UPS_PER_INVITATION_PER_DAY }, (_, index) => index);
  for (const index of indexes) await signUp(index, used);
  await expect(signUp(100, used)).rejects.toMatchObject({
    name: "TooManyAttemptsError",
    message: "Too many accounts were created with this invitation. Wait 24 hours and try again.",
  });
  await signUp(101, other);
  expect(await store.read.selectFrom("accounts").select("id").execute()).toHaveLength(indexes.length + 2);
  // Redis does not get the token.
  expect(JSON.stringify(keys)).not.toContain(used);
  // Tokens that anybody can make up are not counted.
  for (const index of [...indexes, 102]) {
    await expect(signUp(index, "invalid")).rejects.toThrow("This invitation is no longer valid.");
  }
});

test("known devices and signed-in people of one network wait for one turn together, so that others do not wait for all", async () => {
  const { store, accounts } = await openAccounts();
  const { email } = await createAccount(store, "Ada");
  const eves = await Promise.all(
    Array.from({ length: 15 }, (_, index) => createAccount(store, `Eve${index}`)),
  );
  const attempt = { password: "a wrong password", invitationToken: undefined };
  let ended = 0;
  const attack = eves.flatMap(({ id: accountId, email: eve, passwordHash }) => {
    // The cast: nothing else of the session is read before the password is checked.
    const session = { accountId, email: eve } as Session;
    const passwords = { current: attempt.password, new: "staple battery horse" };
    const deviceToken = createDeviceToken(passwordHash);
    return [
      accounts.signIn({ ...attempt, email: eve, deviceToken, address: "192.0.2.1" }),
      accounts.changePassword(session, passwords, "192.0.2.1").catch(() => {}),
    ].map((form) => form.then(() => (ended += 1)));
  });
  const deviceToken = createDeviceToken(PASSWORD_HASH);
  await accounts.signIn({ ...attempt, email, deviceToken, address: "192.0.2.2" });
  expect(ended).toBeLessThan(10);
  await Promise.all(attack);
});

test("forms to change a password count as forms with a password", async () => {
  const { accounts } = await openAccounts();
  // The cast: nothing else of the session is read before the new password is checked.
  const session = { email: "ada@example.org" } as Session;
  const change = () => accounts.changePassword(session, { current: PASSWORD, new: "short" }, "192.0.2.1");
  for (let index = 0; index < MAX_PASSWORD_FORMS_PER_MINUTE; index += 1) {
    await expect(change()).rejects.toThrow(UserError);
  }
  await expect(change()).rejects.toThrow(TooManyAttemptsError);
});

test("attempts to change the password of an account share one delay, whatever their addresses", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const attempts: string[] = [];
  const counters = createMemoryCounterFactory();
  const { accounts } = await openAccounts({
    counters: {
      ...counters,
      createCounter: (prefix, windowMs) => ({
        ...counters.createCounter(prefix, windowMs),
        // As after many wrong passwords.
        consume: async (key) => {
          if (prefix === "attempts") attempts.push(key);
          return { consumedPoints: prefix === "attempts" ? 20 : 1, msBeforeNext: windowMs };
        },
      }),
    },
  });
  // The cast: nothing else of the session is read before the delay.
  const session = { accountId: "ada", email: "ada@example.org" } as Session;
  const passwords = { current: "a wrong password", new: "staple battery horse" };
  const [first, second] = ["192.0.2.1", "198.51.100.1"].map((address) =>
    accounts.changePassword(session, passwords, address),
  );
  const outcomes = Promise.allSettled([first, second]);
  // Until the first attempt waits, and the second one is refused or waits too.
  await vi.waitFor(() => expect(attempts).toHaveLength(2));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await outcomes).toMatchObject([
    { reason: { name: "UserError" } },
    { reason: { name: "TooManyAttemptsError" } },
  ]);
});

test("attempts to sign in count together for all spellings of an address and all networks of a customer", async () => {
  const { counters, keys } = recordKeys();
  const failures: FailedSignIn[] = [];
  const { store, accounts } = await openAccounts({
    counters,
    onFailedSignIn: (failure) => failures.push(failure),
  });
  const { id } = await createAccount(store, "Ada");
  for (const [email, address] of [
    ["ada@example.org", "2001:db8:1:1::1"],
    [" ADA@example.org", "2001:db8:1:2::1"],
  ] as const) {
    const attempt = { email, address, password: "wrong", deviceToken: undefined, invitationToken: undefined };
    await accounts.signIn(attempt);
    expect(failures.at(-1)).toEqual({ address, accountId: id, reason: "credentials" });
  }
  for (const prefix of ["attempts", "account-attempts"])
    expect([prefix, keys[prefix]?.length, new Set(keys[prefix]).size]).toEqual([prefix, 2, 1]);
  expect(JSON.stringify(keys)).not.toContain("example.org");
});

// Repeated on a busy machine, which can run the thread of the known device last. In one queue, it would be the last each time.
test("a known device does not wait for unknown ones", { retry: 3 }, async () => {
  const { store, accounts } = await openAccounts();
  const { email } = await createAccount(store, "Ada");
  const attempt = { email, password: "a wrong password", invitationToken: "" };
  let ended = 0;
  const attack = Array.from({ length: 10 }, (_, index) =>
    accounts
      .signIn({
        ...attempt,
        email: `${index}@example.org`,
        address: `192.0.2.${index}`,
        deviceToken: undefined,
      })
      .then(() => (ended += 1)),
  );
  await Promise.race(attack);
  const deviceToken = createDeviceToken(PASSWORD_HASH);
  await accounts.signIn({ ...attempt, deviceToken, address: "192.0.2.100" });
  expect(ended).toBeLessThan(8);
  await Promise.all(attack);
});
