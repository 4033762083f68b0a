import { DomainError } from "../../domain/errors.js";
import type { VersionedPage } from "../../storage/pages.js";

/**
 * Creates the entity tag of a page: its version, the time of its last edit, because a restored backup can repeat version numbers,
 * and the conversions of its schema, which do not increment the version.
 */
export function createEntityTag(found: Pick<VersionedPage, "version" | "page" | "schema">): string {
  const { version, page, schema } = found;
  return `"${version}-${page.lastEditedTime}${schema.conversionTag}"`;
}

/**
 * Checks an If-Match header (RFC 9110, section 13.1.1) against a page. Throws a DomainError (conflict) when the page has
 * another version.
 */
export function checkIfMatch(ifMatch: string | undefined, page: VersionedPage): void {
  if (ifMatch === undefined || ifMatch === "*") return;
  // The strong comparison, in which a weak tag (W/"...") matches nothing.
  const tags: readonly string[] = ifMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  if (tags.includes(createEntityTag(page))) return;
  throw new DomainError(
    "conflict",
    "The page has another version than If-Match says. Retrieve it, and send the update with its ETag.",
  );
}
