import { createHash } from "node:crypto";

/** SHA-256 of a text as UTF-8, in hex. */
export function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** SHA-256 of a source text with CRLF as LF, so that a checkout with Windows line ends has the same hash. */
export function sha256OfSource(text: string): string {
  return sha256(text.replaceAll("\r\n", "\n"));
}
