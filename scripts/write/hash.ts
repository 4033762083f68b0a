import { createHash } from "node:crypto";

/** SHA-256 of a text as UTF-8, or of bytes, in hex. */
export function sha256(text: string | Buffer): string {
  return createHash("sha256").update(text).digest("hex");
}

/** What `sha256OfSource` gives for the text that is stored in these bytes, which are read as text only if they must. */
export function sha256OfSourceBytes(bytes: Buffer): string {
  if (bytes.includes("\r\n")) return sha256OfSource(bytes.toString("utf8"));
  return sha256(bytes);
}

/** SHA-256 of a source text with CRLF as LF, so that a checkout with Windows line ends has the same hash. */
export function sha256OfSource(text: string): string {
  return sha256(text.replaceAll("\r\n", "\n"));
}
