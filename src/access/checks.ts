import { HIGHEST_REQUEST_LIMIT, PLANS, type Plan } from "../domain/limits.js";

/** Longest e-mail address. */
const EMAIL_LENGTH = 200;

/** What somebody asked for cannot be done. The message names the remedy. */
export class ProvisionError extends Error {
  override readonly name = "ProvisionError";
}

/** The process is asked to do more of something costly than it can in time. Trying again soon may work. */
export class BusyError extends Error {
  override readonly name = "BusyError";
}

/** Control characters, halves of pairs, and what turns the direction of writing, so that a name reads as another. */
const UNPRINTED = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** An e-mail address as it is kept and compared. */
export function normalEmail(email: string): string {
  return email.trim().normalize("NFC").toLowerCase();
}

/**
 * Checks a name, which is shown in lists and pages: it must be visible, short, and storable as UTF-8.
 *
 * @param what What has the name, for the message.
 * @throws ProvisionError when the name is not acceptable.
 */
export function checkName(what: string, name: string): void {
  if (name.trim() === "") throw new ProvisionError(`The ${what} needs a name that is not empty.`);
  if (name.length > 100) {
    throw new ProvisionError(
      `The name of the ${what} has ${name.length} characters. Choose one of at most 100.`,
    );
  }
  if (UNPRINTED.test(name)) {
    throw new ProvisionError(
      `The name of the ${what} contains control characters. Choose one without line breaks, tabs and the like.`,
    );
  }
  if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(name)) {
    throw new ProvisionError(`The name of the ${what} shows nothing. Choose one with a letter or a number.`);
  }
}

/**
 * Reads the name of a plan.
 *
 * @throws ProvisionError when there is no plan of that name.
 */
export function checkPlan(plan: string): Plan {
  const known = PLANS.find((name) => name === plan);
  if (known === undefined) {
    throw new ProvisionError(`There is no plan "${plan}". Choose one of: ${PLANS.join(", ")}.`);
  }
  return known;
}

/**
 * Checks a number of requests a minute.
 *
 * @throws ProvisionError when no plan can have it.
 */
export function checkLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > HIGHEST_REQUEST_LIMIT) {
    throw new ProvisionError(
      `The limit must be a whole number of requests a minute from 1 to ${HIGHEST_REQUEST_LIMIT}.`,
    );
  }
}

/**
 * Checks an e-mail address, against mistakes of the keyboard only: whether it exists, mail alone can tell.
 *
 * @throws ProvisionError when it cannot be one.
 */
export function checkEmail(email: string): void {
  if (email.length <= EMAIL_LENGTH && /^[^\s@\p{Cc}\p{Cf}\p{Cs}]+@[^\s@\p{Cc}\p{Cf}\p{Cs}]+$/u.test(email))
    return;
  throw new ProvisionError(
    `${JSON.stringify(email.slice(0, EMAIL_LENGTH))} is no e-mail address of at most ${EMAIL_LENGTH} characters.`,
  );
}
