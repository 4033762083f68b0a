/** The parts of a URI reference, as RFC 3986 splits it in appendix B. */
interface Parts {
  scheme: string | undefined;
  authority: string | undefined;
  path: string;
  query: string | undefined;
  fragment: string | undefined;
}

const REFERENCE = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#([\s\S]*))?/;

/** A resolved reference: the URI without its fragment, and the unchanged fragment. */
export interface Resolved {
  uri: string;
  fragment: string;
}

/**
 * Resolves a URI reference against an absolute base (RFC 3986, section 5.2). `URL` is not used, because it has
 * special rules for `file:` and rejects relative references to a `urn:`.
 */
export function resolveUri(base: string, reference: string): Resolved {
  const target = split(reference);
  const from = split(base);
  const fragment = target.fragment ?? "";
  if (target.scheme !== undefined) return { uri: join({ ...target, path: tidy(target.path) }), fragment };
  if (target.authority !== undefined) {
    return { uri: join({ ...target, scheme: from.scheme, path: tidy(target.path) }), fragment };
  }
  if (target.path === "") {
    return { uri: join({ ...from, query: target.query ?? from.query }), fragment };
  }
  const folder = from.path.slice(0, from.path.lastIndexOf("/") + 1);
  const root = from.authority !== undefined && from.path === "" ? "/" : folder;
  const path = tidy(target.path.startsWith("/") ? target.path : `${root}${target.path}`);
  return { uri: join({ ...from, path, query: target.query }), fragment };
}

function split(reference: string): Parts {
  const [, scheme, authority, path = "", query, fragment] = REFERENCE.exec(reference) ?? [];
  return { scheme, authority, path, query, fragment };
}

function join({ scheme, authority, path, query }: Parts): string {
  return [
    scheme === undefined ? "" : `${scheme}:`,
    authority === undefined ? "" : `//${authority}`,
    path,
    query === undefined ? "" : `?${query}`,
  ].join("");
}

/** Takes `.` and `..` out of a path. */
function tidy(path: string): string {
  if (!/(?:^|\/)\.\.?(?:\/|$)/.test(path)) return path;
  const result: string[] = [];
  const steps = path.split("/");
  for (const [index, step] of steps.entries()) {
    const last = index === steps.length - 1;
    if (step === "..") {
      if (result.length > 1) result.pop();
      if (last) result.push("");
    } else if (step === ".") {
      if (last) result.push("");
    } else result.push(step);
  }
  return result.join("/");
}
