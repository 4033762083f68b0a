/** Longest name of a host in DNS. The time to convert a name to ASCII grows with the square of its length. */
const MAX_HOST_LENGTH = 253;

/** Finds the host and port, after a scheme or two slashes. Browsers accept further slashes, and ignore tabs and line breaks. */
const HOST = /^[^:/?#\\]*(?::|[/\\]\s*(?=[/\\]))[/\\\s]*(?:[^/?#\\]*@)?([^/?#\\]*)/;

/** Parses a URL like a browser. Returns undefined for an invalid one, and for one with a host that is too long for DNS. */
export function parseUrl(url: string, base?: string): URL | undefined {
  const host = HOST.exec(url)?.[1] ?? "";
  if (host.length > MAX_HOST_LENGTH) return undefined;
  try {
    // Not URL.canParse: after some thousand calls, that of Node 20 and 22 rejects hosts with letters such as ä.
    return new URL(url, base);
  } catch {
    return undefined;
  }
}

/** Protocols of safe links. Links with other protocols, such as `javascript:`, could run code. */
const LINK_PROTOCOLS: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);

/** Whether the HTML of a page may link to a URL or load it as an image. Parses the URL like a browser, to recognize `java\nscript:`. */
export function isSafeLink(url: string): boolean {
  const parsed = parseUrl(url, "https://relative.invalid");
  return parsed !== undefined && LINK_PROTOCOLS.has(parsed.protocol);
}
