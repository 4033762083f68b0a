import { DomainError } from "../domain/errors.js";
import type { VersionedPage } from "../storage/pages.js";

/** The ETag of a page. With its time, so that one that was counted anew, as from a backup, is not taken for another. */
export function entityTag({ version, page }: VersionedPage): string {
  return `"${version}-${page.lastEditedTime}"`;
}

/**
 * Makes sure that a page is at a version that the caller knows.
 *
 * @param ifMatch the header by that name; nothing is asked when it is left out
 * @throws DomainError (conflict)
 */
export function requireMatch(ifMatch: string | undefined, found: VersionedPage): void {
  if (ifMatch === undefined || ifMatch === "*") return;
  // A proxy that compresses answers marks their ETags as weak, by W/ before them.
  const known: readonly string[] = ifMatch.match(/"[^"]*"/g) ?? [];
  if (known.includes(entityTag(found))) return;
  throw new DomainError(
    "conflict",
    "The page has another version than If-Match says. Retrieve it, and send the update with its ETag.",
  );
}
