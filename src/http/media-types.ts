/** Returns a media type in lower case without its parameters. */
export function essence(mediaType: string): string {
  return (mediaType.split(";")[0] ?? "").trim().toLowerCase();
}

/** Whether a declared media type is a range, such as `image/*` or `application/*+json`. */
export function isRange(declared: string): boolean {
  return declared.includes("*");
}

/** Whether handlers receive the media type of a body, because several or a range are declared. */
export function namesMediaType(declared: readonly string[]): boolean {
  return declared.length > 1 || declared.some((name) => name !== "*/*" && isRange(name));
}

/** Finds the declared media type of a Content-Type: the same text, the same type without parameters, or a range. */
export function findMediaType(
  contentType: string | undefined,
  declared: readonly string[],
): string | undefined {
  const sent = essence(contentType ?? "");
  return (
    declared.find((name) => name === contentType) ??
    declared.find((name) => essence(name) === sent) ??
    declared.find((name) => sent !== "" && isInRange(sent, essence(name)))
  );
}

function isInRange(mediaType: string, range: string): boolean {
  if (range === "*/*") return true;
  const [prefix = "", suffix] = range.split("*");
  return suffix !== undefined && mediaType.startsWith(prefix) && mediaType.endsWith(suffix);
}
