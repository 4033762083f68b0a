import { hash, randomBytes } from "node:crypto";

/** Creates a random token of 256 bits, in base64url. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * Hashes a token or an API key for storage and look-up: SHA-256, hexadecimal. A slow hash would add nothing, because both are
 * long and random.
 */
export function hashToken(token: string): string {
  return hash("sha256", token, "hex");
}
