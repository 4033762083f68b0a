import { getOwnValue } from "../json.js";

/** URI of the bundled document, against which the `$id`s and references in it are resolved. */
export const DOCUMENT_URI = "openapi.json";

/** The components of a URI reference (RFC 3986, section 3). */
interface UriComponents {
  scheme: string | undefined;
  authority: string | undefined;
  path: string;
  query: string | undefined;
  fragment: string | undefined;
}

/** Matches a URI reference and captures its components (RFC 3986, appendix B). */
const URI_REFERENCE = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#([\s\S]*))?/;

/**
 * Resolves a URI reference against an absolute base (RFC 3986, section 5.2). `URL` is not used, because it has
 * special rules for `file:` and rejects relative references to a `urn:`.
 *
 * @returns the absolute URI without its fragment, and the fragment as it is written
 */
export function resolveUri(base: string, reference: string): { uri: string; fragment: string } {
  const target = splitUri(reference);
  const { fragment = "" } = target;
  return { uri: joinUri(resolveComponents(splitUri(base), target)), fragment };
}

/** Returns the base URI of the references in a value: its `$id`, or the base of the value around it. */
export function resolveBase(node: unknown, outerBase: string): string {
  const id = getOwnValue(node, "$id");
  return typeof id === "string" ? resolveUri(outerBase, id).uri : outerBase;
}

function resolveComponents(base: UriComponents, target: UriComponents): UriComponents {
  const path = removeDotSegments(target.path);
  if (target.scheme !== undefined) return { ...target, path };
  if (target.authority !== undefined) return { ...target, scheme: base.scheme, path };
  if (target.path === "") return { ...base, query: target.query ?? base.query };
  if (target.path.startsWith("/")) return { ...base, path, query: target.query };
  // RFC 3986, section 5.2.3.
  const baseFolder = base.path.slice(0, base.path.lastIndexOf("/") + 1);
  const prefix = base.authority !== undefined && base.path === "" ? "/" : baseFolder;
  return { ...base, path: removeDotSegments(prefix + target.path), query: target.query };
}

function splitUri(reference: string): UriComponents {
  const [, scheme, authority, path = "", query, fragment] = URI_REFERENCE.exec(reference) ?? [];
  return { scheme, authority, path, query, fragment };
}

function joinUri({ scheme, authority, path, query }: UriComponents): string {
  return [
    scheme === undefined ? "" : `${scheme}:`,
    authority === undefined ? "" : `//${authority}`,
    path,
    query === undefined ? "" : `?${query}`,
  ].join("");
}

/** Removes the segments `.` and `..` from a path (RFC 3986, section 5.2.4). */
function removeDotSegments(path: string): string {
  const result: string[] = [];
  const segments = path.split("/");
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (segment === "..") {
      // Keeps the empty first segment of an absolute path.
      if (result.length > (segments[0] === "" ? 1 : 0)) result.pop();
      if (isLast) result.push("");
    } else if (segment === ".") {
      if (isLast) result.push("");
    } else result.push(segment);
  }
  return result.join("/");
}
