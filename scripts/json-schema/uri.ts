import { getOwnValue } from "../json.js";

/** URI of the bundled document, against which the `$id`s and references in it are resolved. */
export const DOCUMENT_URI = "openapi.json";

/** Makes a relative URI absolute while `URL` resolves another one against it. URLs with an unknown scheme have no special rules. */
const ROOT = "root:/";

/**
 * Resolves a URI reference against a base (RFC 3986, section 5.2), which may be relative itself.
 *
 * @returns the URI without its fragment, normalized so that equal ones have the same text, and the fragment as it is written
 */
export function resolveUri(base: string, reference: string): { uri: string; fragment: string } {
  const [relative = "", ...rest] = reference.split("#");
  const fragment = rest.join("#");
  if (relative === "") return { uri: base.replace(/#.*/s, ""), fragment };
  const absoluteBase = URL.canParse(base) ? base : ROOT + base;
  // Nothing can be resolved against a base without slashes, such as a `urn:`.
  if (!URL.canParse(relative, absoluteBase)) return { uri: relative, fragment };
  const { href } = new URL(relative, absoluteBase);
  return { uri: href.startsWith(ROOT) ? href.slice(ROOT.length) : href, fragment };
}

/** Returns the base URI of the references in a value: its `$id`, or the base of the value around it. */
export function resolveBase(node: unknown, outerBase: string): string {
  const id = getOwnValue(node, "$id");
  return typeof id === "string" ? resolveUri(outerBase, id).uri : outerBase;
}
