import { hash } from "node:crypto";
import {
  MAX_PASSWORD_FORMS_PER_MINUTE,
  MAX_REGISTRATIONS_PER_HOUR,
  MAX_SIGN_UPS_PER_INVITATION_PER_DAY,
} from "../../budgets.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../units.js";
import { findAccountByEmail, hasAccounts } from "../../storage/access/accounts.js";
import type { Store } from "../../storage/engine/store.js";
import { createAttemptThrottle } from "./attempt-throttle.js";
import { checkFields, describeInvalidEmail, normalizeEmail } from "../checks.js";
import { InvalidFieldsError, TooManyAttemptsError } from "../../errors.js";
import type { CounterFactory } from "../limits/counters.js";
import { changePassword, resetPassword } from "./password-changes.js";
import { describeInvalidPassword } from "./passwords.js";
import { createAddressLimit, createKeyLimit, type RateLimitState } from "../limits/rate-limit.js";
import type { Session, SessionTokens } from "./sessions.js";
import { type Registration, signIn, type SignInForm } from "./sign-in.js";
import { acceptsInvitations, signUp, type SignUpForm } from "./sign-up.js";
import { toNetwork } from "../limits/client-address.js";
import { hashToken, readDeviceToken } from "./tokens.js";

const INVITATION_EXHAUSTED = "Too many accounts were created with this invitation.";

interface SignInAttempt extends SignInForm {
  readonly email: string;
  readonly address: string | undefined;
  /** Cookie of a device that has signed in before, see createDeviceToken. */
  readonly deviceToken: string | undefined;
}

export interface FailedSignIn {
  readonly address: string | undefined;
  /** Undefined when no account has the e-mail address, or the client has sent too many forms. */
  readonly accountId: string | undefined;
  readonly reason: "credentials" | "too many attempts";
}

interface AccountServiceOptions {
  readonly store: Store;
  readonly counters: CounterFactory;
  readonly registration: Registration;
  readonly onFailedSignIn: (failure: FailedSignIn) => void;
}

export type AccountService = ReturnType<typeof createAccountService>;

/** Creates the service for accounts. Its methods throw TooManyAttemptsError when a client has sent too many forms. */
export function createAccountService({
  store,
  counters,
  registration,
  onFailedSignIn,
}: AccountServiceOptions) {
  const throttleAttempt = createAttemptThrottle(counters);
  const countForm = createAddressLimit(counters, "client-attempts", MINUTE_MS, MAX_PASSWORD_FORMS_PER_MINUTE);
  // By /48, because somebody who has one could create 65,536 times as many.
  const countSignUp = createAddressLimit(counters, "registrations", HOUR_MS, MAX_REGISTRATIONS_PER_HOUR, 48);
  const countInvitedSignUp = createKeyLimit(
    counters,
    "invited-registrations",
    DAY_MS,
    MAX_SIGN_UPS_PER_INVITATION_PER_DAY,
  );
  // Has its own counter, because a new account usually gets its workspace from the same address.
  const countWorkspace = createAddressLimit(
    counters,
    "new-workspaces",
    HOUR_MS,
    MAX_REGISTRATIONS_PER_HOUR,
    48,
  );
  let isInUse = false;
  /** Whether anyone has an account. Remembered, because accounts are never deleted, and every visitor may ask. */
  const isServiceInUse = async (): Promise<boolean> => (isInUse ||= await hasAccounts(store.read));
  return {
    registration,
    hasAccounts: isServiceInUse,
    acceptsInvitations: () => acceptsInvitations(registration, isServiceInUse),

    async signUp(form: SignUpForm, address: string | undefined): Promise<SessionTokens | undefined> {
      requireAllowed(await countForm(address));
      const checkRateLimit = async (): Promise<void> => {
        if (form.invitationToken === undefined) requireAllowed(await countSignUp(address));
        else requireAllowed(await countInvitedSignUp(hashToken(form.invitationToken)), INVITATION_EXHAUSTED);
      };
      return signUp(store, form, { registration, clientKey: toNetwork(address), checkRateLimit });
    },

    /** Begins a session, see signIn. Delays attempts after failures, see createAttemptThrottle. */
    async signIn(attempt: SignInAttempt): Promise<SessionTokens | undefined> {
      const { address } = attempt;
      let accountId: string | undefined;
      const reportFailure = (reason: FailedSignIn["reason"]): void =>
        onFailedSignIn({ address, accountId, reason });
      try {
        requireAllowed(await countForm(address));
        checkFields({
          email: describeInvalidEmail(normalizeEmail(attempt.email)),
          password: attempt.password === "" ? "Enter your password." : undefined,
        });
        const { account, client, throttleKeys } = await identifyAttempt(store, attempt);
        accountId = account?.id;
        const checkRateLimit = async (): Promise<void> => requireAllowed(await countWorkspace(address));
        const verifyCredentials = () =>
          signIn(store, account, attempt, { registration, client, checkRateLimit });
        const sessionTokens = await throttleAttempt(throttleKeys, verifyCredentials);
        if (sessionTokens === undefined) reportFailure("credentials");
        return sessionTokens;
      } catch (error) {
        if (error instanceof TooManyAttemptsError) reportFailure("too many attempts");
        throw error;
      }
    },

    async changePassword(
      session: Session,
      passwords: { current: string; new: string },
      address: string | undefined,
    ): Promise<SessionTokens> {
      requireAllowed(await countForm(address));
      // Checked first, so that a refused new password does not count as an attempt to guess the current one.
      checkFields({
        "current-password": passwords.current === "" ? "Enter your current password." : undefined,
        password:
          describeInvalidPassword(passwords.new, session.email) ??
          (passwords.new === passwords.current
            ? "The new password is the same as the current one. Choose another."
            : undefined),
      });
      const sessionTokens = await throttleAttempt({ key: `change ${session.accountId}` }, () =>
        changePassword(store, session, passwords, toNetwork(address)),
      );
      if (sessionTokens === undefined) {
        throw new InvalidFieldsError({ "current-password": "The current password is wrong." });
      }
      return sessionTokens;
    },

    async resetPassword(
      token: string,
      password: string,
      address: string | undefined,
    ): Promise<SessionTokens | undefined> {
      requireAllowed(await countForm(address));
      return resetPassword(store, { token, password }, { registration, clientKey: toNetwork(address) });
    },
  };
}

/** Finds the account of a sign-in attempt, the client that waits for the password hash, and the keys that count the attempt. */
async function identifyAttempt(store: Store, { email, address, deviceToken }: SignInAttempt) {
  const normalizedEmail = normalizeEmail(email);
  const account = await findAccountByEmail(store.read, normalizedEmail);
  const device = readDeviceToken(deviceToken, account?.passwordHash);
  // Hashed, so that all keys are short.
  const accountKey = hash("sha256", normalizedEmail, "hex");
  // By network, also for known devices, because one account can have any number of them.
  const client = { key: toNetwork(address), isKnown: device !== undefined };
  const throttleKeys =
    device === undefined ? { key: `${accountKey} ${client.key}`, accountKey } : { key: device };
  return { account, client, throttleKeys };
}

function requireAllowed({ allowed, retryAfterSeconds }: RateLimitState, reason?: string): void {
  if (!allowed) throw new TooManyAttemptsError(retryAfterSeconds, reason);
}
