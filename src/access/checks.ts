import { domainToASCII } from "node:url";
import { isInvisible } from "../domain/text.js";
import { UserError } from "../errors.js";

const MAX_EMAIL_LENGTH = 200;
const MAX_NAME_LENGTH = 100;

/** Control characters and lone surrogates, and characters that change the direction of text and could disguise a name. */
export const UNSAFE_CHARACTERS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/**
 * Normalizes an e-mail address: compatibility characters (NFKC), lower case, and the domain in ASCII. Replaces NUL, which databases
 * cannot store.
 */
export function normalizeEmail(email: string): string {
  const normalized = email.replaceAll("\0", "\ufffd").trim().normalize("NFKC").toLowerCase();
  const at = normalized.lastIndexOf("@");
  const domain = domainToASCII(normalized.slice(at + 1));
  return at === -1 || domain === "" ? normalized : `${normalized.slice(0, at)}@${domain}`;
}

/** Throws a UserError when a name is empty, invisible or too long, or contains control characters. */
export function checkName(subject: string, name: string): void {
  const refuse = (message: string): never => {
    throw new UserError(message, "name");
  };
  if (name.trim() === "") refuse(`Enter a name for the ${subject}.`);
  if (name.length > MAX_NAME_LENGTH) {
    refuse(`The name of the ${subject} has ${name.length} characters. Use at most ${MAX_NAME_LENGTH}.`);
  }
  if (UNSAFE_CHARACTERS.test(name)) {
    refuse(`The name of the ${subject} contains control characters such as line breaks. Remove them.`);
  }
  if (isInvisible(name)) {
    refuse(`The name of the ${subject} is invisible. Use at least one letter or digit.`);
  }
}

/** Throws a UserError when a text does not have the form of an e-mail address. */
export function checkEmail(email: string): void {
  const isEmail = /^[^\s@\p{Cc}\p{Cf}\p{Cs}]+@[^\s@\p{Cc}\p{Cf}\p{Cs}]+$/u.test(email);
  if (isEmail && email.length <= MAX_EMAIL_LENGTH) return;
  throw new UserError(
    `${JSON.stringify(email.slice(0, MAX_EMAIL_LENGTH))} is not an e-mail address of at most ${MAX_EMAIL_LENGTH} characters.`,
    "email",
  );
}
