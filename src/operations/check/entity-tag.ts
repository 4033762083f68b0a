import { DomainError } from "../../domain/errors.js";
import type { VersionedPage } from "../../storage/pages.js";

/**
 * Creates the entity tag of a page. It contains the time of the last edit, because a restored backup can repeat version numbers, and
 * the conversions of its values, which leave the version as it is.
 */
export function createEntityTag({
  version,
  page,
  schema,
}: Pick<VersionedPage, "version" | "page" | "schema">): string {
  return `"${version}-${page.lastEditedTime}${schema.conversions}"`;
}

/**
 * Checks an If-Match header (RFC 9110, section 13.1.1) against a page.
 *
 * @throws DomainError (conflict) when the page has another version
 */
export function checkIfMatch(ifMatch: string | undefined, page: VersionedPage): void {
  if (ifMatch === undefined || ifMatch === "*") return;
  // The comparison is strong: a weak tag (W/"...") matches nothing.
  const tags: readonly string[] = ifMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  if (tags.includes(createEntityTag(page))) return;
  throw new DomainError(
    "conflict",
    "The page has another version than If-Match says. Retrieve it, and send the update with its ETag.",
  );
}
