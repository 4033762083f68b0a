import type { MediaKind } from "./types.js";

/** Returns a media type in lower case without its parameters. */
export function essence(mediaType: string): string {
  return (mediaType.split(";")[0] ?? "").trim().toLowerCase();
}

/** Whether a declared media type is a range, such as `image/*` or `application/*+json`. */
export function isRange(declared: string): boolean {
  return declared.includes("*");
}

/** Whether handlers receive the media type of a body, because several or a range are declared. */
export function namesMediaType(declared: Readonly<Record<string, MediaKind>>): boolean {
  const entries = Object.entries(declared);
  return (
    entries.length > 1 ||
    entries.some(([name, kind]) => isRange(name) && (name !== "*/*" || kind === "binary"))
  );
}

/**
 * Finds the declared media type of a Content-Type: the same text, the same type without parameters, or the most specific
 * range, which is the longest.
 */
export function findMediaType(
  contentType: string | undefined,
  declared: readonly string[],
): string | undefined {
  const sent = essence(contentType ?? "");
  return (
    declared.find((name) => name === contentType) ??
    declared.find((name) => essence(name) === sent) ??
    declared
      .filter((name) => sent !== "" && isInRange(sent, essence(name)))
      .sort((a, b) => b.length - a.length)[0]
  );
}

function isInRange(mediaType: string, range: string): boolean {
  if (range === "*/*") return true;
  const [prefix = "", suffix] = range.split("*");
  return suffix !== undefined && mediaType.startsWith(prefix) && mediaType.endsWith(suffix);
}
