import { parseUrl } from "./url.js";

/** Protocols of safe links. Links with other protocols, such as `javascript:`, could run code. */
const LINK_PROTOCOLS: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);

/**
 * Whether the HTML of a page may link to a URL or load it as an image. Parses the URL like a browser, which ignores tabs and
 * line breaks in a URL, so that `java\nscript:` is recognized.
 */
export function isSafeLink(url: string): boolean {
  const parsed = parseUrl(url, "https://relative.invalid");
  return parsed !== undefined && LINK_PROTOCOLS.has(parsed.protocol);
}
