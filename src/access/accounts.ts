import { hash } from "node:crypto";
import { MAX_PASSWORD_FORMS_PER_MINUTE, MAX_REGISTRATIONS_PER_HOUR } from "../budgets.js";
import { findAccountByEmail } from "../storage/accounts/accounts.js";
import type { Store } from "../storage/engine/store.js";
import { addressGroup } from "./address.js";
import { createAttemptThrottle } from "./attempts.js";
import { normalizeEmail, TooManyAttemptsError, UserError } from "./checks.js";
import type { Counter, Counters } from "./counters.js";
import { changePassword, resetPassword } from "./password-changes.js";
import type { Session } from "./sessions.js";
import {
  type Registration,
  signIn,
  type SignedIn,
  type SignInForm,
  signUp,
  type SignUpForm,
} from "./sign-in.js";
import { readDeviceToken } from "./trusted-devices.js";

/** An attempt to sign in, and the client that makes it. */
export interface SignInAttempt extends SignInForm {
  readonly address: string | undefined;
  readonly deviceToken: string | undefined;
}

/** Creates accounts and verifies passwords, with limits against abuse. */
export interface Accounts {
  readonly registration: Registration;
  /**
   * Creates an account. The result does not reveal whether the address had an account, so the person has to sign in
   * next. Only the first account of the service is signed in at once.
   *
   * @throws UserError when a field or the invitation is invalid, or registration is not possible.
   * @throws TooManyAttemptsError when the address of the client has created too many accounts.
   */
  signUp(form: SignUpForm, address: string | undefined): Promise<SignedIn | undefined>;
  /**
   * Begins a session.
   *
   * @returns undefined when the address or the password is wrong; both take the same time.
   * @throws TooManyAttemptsError when too many attempts failed.
   * @throws UserError when the account has no workspace.
   */
  signIn(attempt: SignInAttempt): Promise<SignedIn | undefined>;
  /**
   * Changes the password of a session's account. All sessions of the account end.
   *
   * @throws UserError when the current password is wrong or the new one is not acceptable.
   */
  changePassword(session: Session, passwords: { current: string; next: string }): Promise<SignedIn>;
  /**
   * Sets the password of the account of a reset link, which can be used once. All sessions of the account end.
   *
   * @throws UserError when the link is no longer valid or the password is not acceptable.
   */
  resetPassword(token: string, password: string, address: string | undefined): Promise<SignedIn>;
}

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;

/** A failed attempt to sign in, for the log. */
export interface FailedSignIn {
  readonly address: string | undefined;
  /** Undefined when no account has the e-mail address. */
  readonly accountId: string | undefined;
  readonly reason: "credentials" | "too many attempts";
}

export interface AccountsOptions {
  readonly store: Store;
  readonly counters: Counters;
  readonly registration: Registration;
  readonly onFailedSignIn: (failure: FailedSignIn) => void;
}

/** Creates the use cases of accounts. */
export function createAccounts({ store, counters, registration, onFailedSignIn }: AccountsOptions): Accounts {
  const throttle = createAttemptThrottle(counters);
  const clientAttempts = counters.counter("client-attempts", MINUTE_SECONDS);
  const registrations = counters.counter("registrations", HOUR_SECONDS);
  return {
    registration,

    async signUp(form, address) {
      await consume(clientAttempts, address, MAX_PASSWORD_FORMS_PER_MINUTE);
      return signUp(store, form, registration, async () => {
        if (form.invitation === "") await consume(registrations, address, MAX_REGISTRATIONS_PER_HOUR);
      });
    },

    async signIn(attempt) {
      const email = normalizeEmail(attempt.email);
      const account = await findAccountByEmail(store.read, email);
      const device = readDeviceToken(attempt.deviceToken, account?.passwordHash);
      // Hashed, because people can type anything of any length.
      const accountKey = hash("sha256", email, "hex");
      const key = device ?? `${accountKey} ${addressGroup(attempt.address)}`;
      const fail = (reason: FailedSignIn["reason"]): void =>
        onFailedSignIn({ address: attempt.address, accountId: account?.id, reason });
      try {
        await consume(clientAttempts, attempt.address, MAX_PASSWORD_FORMS_PER_MINUTE);
        const check = () => signIn(store, attempt, registration);
        const signedIn = await throttle.run({ key, accountKey: device ? undefined : accountKey }, check);
        if (signedIn === undefined) fail("credentials");
        return signedIn;
      } catch (error) {
        if (error instanceof TooManyAttemptsError) fail("too many attempts");
        throw error;
      }
    },

    async changePassword(session, passwords) {
      const signedIn = await throttle.run({ key: `change ${session.accountId}` }, () =>
        changePassword(store, session, passwords),
      );
      if (signedIn === undefined) throw new UserError("The current password is wrong.", "current-password");
      return signedIn;
    },

    async resetPassword(token, password, address) {
      await consume(clientAttempts, address, MAX_PASSWORD_FORMS_PER_MINUTE);
      return resetPassword(store, token, password, registration);
    },
  };
}

/** @throws TooManyAttemptsError when the address has reached the limit of the window. */
async function consume(counter: Counter, address: string | undefined, limit: number): Promise<void> {
  const { consumedPoints, msBeforeNext } = await counter.consume(addressGroup(address));
  if (consumedPoints > limit) throw new TooManyAttemptsError(Math.max(Math.ceil(msBeforeNext / 1000), 1));
}
