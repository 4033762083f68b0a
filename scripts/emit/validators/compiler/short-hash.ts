import { createHash } from "node:crypto";

/** Computes a hash for names in generated code, of eight letters and digits. */
export function computeShortHash(text: string): string {
  return createHash("sha256").update(text).digest().readBigUInt64BE().toString(36).slice(0, 8);
}
