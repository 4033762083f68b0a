import { hash, timingSafeEqual } from "node:crypto";

/** Compares two secrets in a time that reveals neither where they differ nor how long the expected one is. */
export function areEqualSecrets(given: string, expected: string): boolean {
  return timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", expected, "buffer"));
}
