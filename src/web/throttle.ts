import { hash } from "node:crypto";
import { addressGroup } from "../access/address.js";
import { normalEmail } from "../access/checks.js";
import type { Counters } from "../access/counters.js";
import { FormRefused } from "./form.js";

/** Slows down who tries many passwords or makes many accounts. */
export interface Throttle {
  /** @throws FormRefused when the account or the address had too many tries in this minute. */
  signIn(email: string, address: string | undefined): Promise<void>;
  /** @throws FormRefused when the address had too many tries in this minute. */
  signUp(address: string | undefined): Promise<void>;
}

/** Tries a minute with one e-mail address, whether there is such an account or not. */
const TRIES_PER_ACCOUNT = 10;
/** Tries a minute from one address, for whichever accounts. */
const TRIES_PER_ADDRESS = 60;
const MINUTE_SECONDS = 60;

/** Makes the throttle over counters, which processes may share. */
export function createThrottle(counters: Counters): Throttle {
  const accounts = counters.counter("sign-in-account", MINUTE_SECONDS);
  const addresses = counters.counter("sign-in-address", MINUTE_SECONDS);
  const signUps = counters.counter("sign-up-address", MINUTE_SECONDS);
  const check = async (counter: typeof accounts, key: string, limit: number): Promise<void> => {
    const { consumedPoints, msBeforeNext } = await counter.consume(key);
    if (consumedPoints <= limit) return;
    const seconds = Math.max(Math.ceil(msBeforeNext / 1000), 1);
    throw new FormRefused(429, `There were too many tries. Wait ${seconds} seconds and try again.`);
  };
  return {
    async signIn(email, address) {
      await check(addresses, addressGroup(address), TRIES_PER_ADDRESS);
      // Hashed, because it is what somebody typed, of any length.
      await check(accounts, hash("sha256", normalEmail(email), "hex"), TRIES_PER_ACCOUNT);
    },
    signUp: (address) => check(signUps, addressGroup(address), TRIES_PER_ADDRESS),
  };
}
