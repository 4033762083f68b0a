import { createHash } from "node:crypto";

/** Computes the SHA-256 of a text as UTF-8, or of bytes, in hex. */
export function sha256(text: string | Buffer): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Computes the SHA-256 of a text file with CRLF as LF, so that a checkout with Windows line ends has the same hash. */
export function hashTextFile(content: string | Buffer): string {
  return sha256(normalizeLineEnds(Buffer.from(content)));
}

/** Converts CRLF to LF. */
export function normalizeLineEnds(bytes: Buffer): Buffer {
  return bytes.includes("\r\n") ? Buffer.from(bytes.toString("utf8").replaceAll("\r\n", "\n")) : bytes;
}
