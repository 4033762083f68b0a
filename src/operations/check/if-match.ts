import { DomainError } from "../../domain/errors.js";
import { createEntityTag, type TaggedPage } from "../present/page.js";

/** Checks an If-Match header (RFC 9110, section 13.1.1). Throws a DomainError (conflict) when the page has another version. */
export function checkIfMatch(ifMatch: string | undefined, page: TaggedPage): void {
  if (ifMatch === undefined || ifMatch === "*") return;
  // The strong comparison, in which a weak tag (W/"...") matches nothing.
  const tags: readonly string[] = ifMatch.match(/(?:W\/)?"[^"]*"/g) ?? [];
  if (tags.includes(createEntityTag(page))) return;
  throw new DomainError(
    "conflict",
    "The page has another version than If-Match says. Retrieve it, and send the update with its ETag.",
  );
}
