import { readFileSync } from "node:fs";

/**
 * File with the passwords of at least 10 characters among the 49,233 most common ones, in lower case. Shorter passwords are
 * refused because of their length.
 *
 * Source: the frequency list of @zxcvbn-ts/language-common 4.1.3 (MIT License), which is derived from published leaks.
 */
const FILE = new URL("common-passwords.txt", import.meta.url);

let commonPasswords: ReadonlySet<string> | undefined;

/** Whether a password is one of the most common ones, in any case. */
export function isCommonPassword(password: string): boolean {
  commonPasswords ??= new Set(readFileSync(FILE, "utf8").split("\n"));
  return commonPasswords.has(password.normalize("NFKC").toLowerCase());
}
