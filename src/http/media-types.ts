import type { BodyKind } from "./types.js";

/** Returns the essence of a media type: its text in lower case without parameters, e.g. `text/html`. */
export function getEssence(mediaType: string): string {
  return (mediaType.split(";")[0] ?? "").trim().toLowerCase();
}

/** Whether a media type is `application/json` or `text/json`, or has the suffix `+json`. */
export function isJson(mediaType: string): boolean {
  return /^(?:application|text)\/json$|\+json$/.test(getEssence(mediaType));
}

/** Whether a declared media type is a range, such as `image/*` or `application/*+json`. */
export function isRange(declared: string): boolean {
  return declared.includes("*");
}

/**
 * Whether handlers receive the media type of a body, because several or a range are declared. A body declared as the range of all
 * media types needs none: it is JSON, unless it is binary.
 */
export function needsContentType(declared: Readonly<Record<string, BodyKind>>): boolean {
  const entries = Object.entries(declared);
  return (
    entries.length > 1 ||
    entries.some(([name, kind]) => isRange(name) && (name !== "*/*" || kind === "binary"))
  );
}

/**
 * Finds the declared media type of a Content-Type, in this order: the same text, the same type without parameters, the
 * most specific range, which is the longest. Returns undefined if there is none.
 */
export function findMediaType(
  contentType: string | undefined,
  declared: readonly string[],
): string | undefined {
  const essence = getEssence(contentType ?? "");
  return (
    declared.find((name) => normalize(name) === normalize(contentType ?? "")) ??
    declared.find((name) => getEssence(name) === essence) ??
    declared
      .filter((name) => essence !== "" && isInRange(essence, getEssence(name)))
      .sort((a, b) => b.length - a.length)[0]
  );
}

/** Normalizes the letter case of a media type, and the spaces around its semicolons. */
function normalize(mediaType: string): string {
  const parts = mediaType.toLowerCase().split(";");
  return parts.map((part) => part.trim()).join(";");
}

function isInRange(mediaType: string, range: string): boolean {
  if (range === "*/*") return true;
  const [prefix = "", suffix] = range.split("*");
  return suffix !== undefined && mediaType.startsWith(prefix) && mediaType.endsWith(suffix);
}
