import { hash, randomBytes, createHmac, timingSafeEqual } from "node:crypto";

/** Creates a random token of 256 bits, in base64url. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Hashes a token or an API key for storage: SHA-256, hexadecimal. Both are random, so a slow hash would add nothing. */
export function hashToken(token: string): string {
  return hash("sha256", token, "hex");
}

/** Creates a token for a browser that has signed in to the account with a password hash, see ../DECISIONS.md. */
export function createDeviceToken(passwordHash: string): string {
  const nonce = newToken();
  return `${nonce}.${sign(nonce, passwordHash)}`;
}

/** Verifies a device token. Returns the id of the device; undefined when the token is not for the account. */
export function readDeviceToken(
  token: string | undefined,
  passwordHash: string | undefined,
): string | undefined {
  if (token === undefined || passwordHash === undefined) return undefined;
  const [nonce = "", signature = ""] = token.split(".");
  return areEqualSecrets(signature, sign(nonce, passwordHash)) ? nonce : undefined;
}

function sign(nonce: string, passwordHash: string): string {
  return createHmac("sha256", passwordHash).update(`trusted device ${nonce}`).digest("base64url");
}

/** Compares two secrets. The time it takes reveals neither where they differ nor the length of the expected one. */
export function areEqualSecrets(given: string, expected: string): boolean {
  return timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", expected, "buffer"));
}
