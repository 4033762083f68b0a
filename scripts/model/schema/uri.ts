/** The components of a URI reference (RFC 3986, section 3). */
interface UriComponents {
  scheme: string | undefined;
  authority: string | undefined;
  path: string;
  query: string | undefined;
  fragment: string | undefined;
}

/** Splits a URI reference into its components (RFC 3986, appendix B). */
const URI_REFERENCE = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#([\s\S]*))?/;

/** An absolute URI in two parts: the text before `#`, and the fragment as it is written. */
export interface ResolvedUri {
  uri: string;
  fragment: string;
}

/**
 * Resolves a URI reference against an absolute base (RFC 3986, section 5.2). `URL` is not used, because it has
 * special rules for `file:` and rejects relative references to a `urn:`.
 */
export function resolveUri(base: string, reference: string): ResolvedUri {
  const target = splitUri(reference);
  const baseComponents = splitUri(base);
  const fragment = target.fragment ?? "";
  if (target.scheme !== undefined)
    return { uri: joinUri({ ...target, path: removeDotSegments(target.path) }), fragment };
  if (target.authority !== undefined) {
    return {
      uri: joinUri({ ...target, scheme: baseComponents.scheme, path: removeDotSegments(target.path) }),
      fragment,
    };
  }
  if (target.path === "") {
    return { uri: joinUri({ ...baseComponents, query: target.query ?? baseComponents.query }), fragment };
  }
  // RFC 3986, section 5.2.3.
  const baseFolder = baseComponents.path.slice(0, baseComponents.path.lastIndexOf("/") + 1);
  const prefix = baseComponents.authority !== undefined && baseComponents.path === "" ? "/" : baseFolder;
  const path = removeDotSegments(target.path.startsWith("/") ? target.path : `${prefix}${target.path}`);
  return { uri: joinUri({ ...baseComponents, path, query: target.query }), fragment };
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
  if (!/(?:^|\/)\.\.?(?:\/|$)/.test(path)) return path;
  const result: string[] = [];
  const segments = path.split("/");
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (segment === "..") {
      // Not the empty first segment of an absolute path.
      if (result.length > 1) result.pop();
      if (isLast) result.push("");
    } else if (segment === ".") {
      if (isLast) result.push("");
    } else result.push(segment);
  }
  return result.join("/");
}
