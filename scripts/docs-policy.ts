import { createHash } from "node:crypto";

/** How the two scripts of Redocly's page begin: one sets the colours before anything is drawn, one is Redoc. */
const SCRIPTS = [/<script>(?=try\{var m=localStorage)/, /<script type="module">/];

/**
 * Puts a policy into a page that Redocly has built: only its own two scripts run in it, known by their hashes, and the
 * page loads nothing. Descriptions are Markdown, which may hold HTML, and Redoc shows that as it is.
 *
 * @throws Error when the page is not built as it was expected to be
 */
export function withPolicy(html: string): string {
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
