/** Protocols of safe links in rendered content. Others, such as `javascript:`, could run code. */
const LINK_PROTOCOLS: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);

/**
 * Whether a URL in a page's content may become a link or an image: http, https, mailto or relative. Parses it like
 * browsers, which ignore line breaks and tabs in it and control characters around it.
 */
export function isSafeLink(url: string): boolean {
  return (
    URL.canParse(url, "https://relative.invalid") &&
    LINK_PROTOCOLS.has(new URL(url, "https://relative.invalid").protocol)
  );
}
