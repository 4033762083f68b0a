import { createHash } from "node:crypto";

/** How the two scripts of Redocly's page begin: one sets the colours before anything is drawn, one is Redoc. */
const SCRIPTS = [/<script>(?=try\{var m=localStorage)/, /<script type="module">/];

/** What Redoc shows beside "API docs by", once from its own network: a page that loads nothing brings it along. */
const LOGOS = ["https://cdn.redoc.ly/redoc/logo-mini-full.svg", "https://cdn.redoc.ly/redoc/logo-mini.svg"];
const LOGO = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="48" height="16"><text y="12" font-family="sans-serif" font-size="12" fill="#5b6cff">Redocly</text></svg>',
)}`;

/**
 * Puts a policy into a page that Redocly has built: only its own two scripts run in it, known by their hashes, and the
 * page loads nothing. Descriptions are Markdown, which may hold HTML, and Redoc shows that as it is.
 *
 * @throws Error when the page is not built as it was expected to be
 */
export function withPolicy(page: string): string {
  const html = LOGOS.reduce((text, logo) => text.replaceAll(`\`${logo}\``, `\`${LOGO}\``), page);
  const hashes = SCRIPTS.map((start) => {
    const found = start.exec(html);
    const end = found ? html.indexOf("</script>", found.index) : -1;
    if (!found || end === -1)
      throw new Error(`Redocly's page has no ${start.source}: adapt scripts/docs-policy.ts to it.`);
    const text = html.slice(found.index + found[0].length, end);
    return `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
  });
  const policy = [
    "default-src 'none'",
    `script-src ${hashes.join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src data:",
    "font-src data:",
    "worker-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const head = html.indexOf("<head>");
  if (head === -1) throw new Error("Redocly's page has no <head>: adapt scripts/docs-policy.ts to it.");
  const at = head + "<head>".length;
  return `${html.slice(0, at)}<meta http-equiv="Content-Security-Policy" content="${policy}">${html.slice(at)}`;
}
