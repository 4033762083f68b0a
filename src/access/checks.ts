import { domainToASCII } from "node:url";
import { parseId } from "../domain/ids.js";
import { isInvisible, truncate } from "../domain/text.js";
import { InvalidFieldsError } from "../errors.js";

export const MAX_EMAIL_LENGTH = 200;
/** Length of the name of a person, key or workspace in UTF-16 units, as the attribute `maxlength` of an input counts it. */
export const MAX_NAME_LENGTH = 100;

/** Control characters and lone surrogates, and characters that change the direction of text and could disguise a name. */
export const UNSAFE_CHARACTERS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/**
 * Normalizes an e-mail address: NFKC, lower case, the domain in ASCII. Replaces NUL, which databases cannot store. Cuts texts that
 * are too long anyway, because the time to normalize a text grows with its square.
 */
export function normalizeEmail(email: string): string {
  // Composing characters and removing spaces make an address shorter.
  const cut = truncate(email, 5 * MAX_EMAIL_LENGTH);
  const normalized = cut.replaceAll("\0", "\ufffd").trim().normalize("NFKC").toLowerCase();
  const at = normalized.lastIndexOf("@");
  const domain = domainToASCII(normalized.slice(at + 1));
  return at === -1 || domain === "" ? normalized : `${normalized.slice(0, at)}@${domain}`;
}

/** Throws an InvalidFieldsError with the messages of all invalid fields; the message of a valid field is undefined. */
export function checkFields(messages: Readonly<Record<string, string | undefined>>): void {
  const invalid = Object.entries(messages).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  if (invalid.length > 0) throw new InvalidFieldsError(Object.fromEntries(invalid));
}

/** Throws an InvalidFieldsError for an invalid name, see describeInvalidName. */
export function checkName(owner: string, name: string): void {
  checkFields({ name: describeInvalidName(owner, name) });
}

/**
 * Describes why a name is invalid: it is empty, invisible or too long, contains control characters, or, for a workspace, has the form
 * of an ID. Returns undefined for a valid name.
 *
 * @param owner "you", or what has the name, for example "key"
 */
export function describeInvalidName(owner: string, name: string): string | undefined {
  const subject = owner === "you" ? "Your name" : `The name of the ${owner}`;
  if (name.trim() === "") return owner === "you" ? "Enter your name." : `Enter a name for the ${owner}.`;
  if (name.length > MAX_NAME_LENGTH) {
    return `${subject} has ${name.length} characters. Use at most ${MAX_NAME_LENGTH}.`;
  }
  if (UNSAFE_CHARACTERS.test(name)) {
    return `${subject} contains control characters such as line breaks. Remove them.`;
  }
  if (isInvisible(name)) return `${subject} is invisible. Use at least one letter or digit.`;
  // A workspace that is being deleted or imported has its id as name.
  if (owner === "workspace" && parseId(name) !== undefined) {
    return `${subject} is an ID. Choose a name that people recognize.`;
  }
  return undefined;
}

/** Describes why a text is not an e-mail address. Returns undefined for a valid address. */
export function describeInvalidEmail(email: string): string | undefined {
  if (email === "") return "Enter an e-mail address such as name@example.org.";
  if (email.length > MAX_EMAIL_LENGTH) {
    return `The e-mail address is too long. Use at most ${MAX_EMAIL_LENGTH} characters.`;
  }
  return /^[^\s@\p{Cc}\p{Cf}\p{Cs}]+@[^\s@\p{Cc}\p{Cf}\p{Cs}]+$/u.test(email)
    ? undefined
    : `${JSON.stringify(email)} is not an e-mail address. Enter one such as name@example.org.`;
}
