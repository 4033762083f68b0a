import { createHash } from "node:crypto";

/** Computes the SHA-256 of a text as UTF-8, or of bytes, in hex. */
export function sha256(text: string | Buffer): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Computes the SHA-256 of a source file with CRLF as LF, so that a checkout with Windows line ends has the same hash. */
export function hashSource(bytes: Buffer): string {
  return sha256(bytes.includes("\r\n") ? bytes.toString("utf8").replaceAll("\r\n", "\n") : bytes);
}
