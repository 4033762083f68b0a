import { createHash } from "node:crypto";

/** Starts of the scripts in Redocly's page: one sets the color scheme before the first paint, the other one is Redoc. */
const SCRIPTS = [/<script>(?=try\{var m=localStorage)/, /<script type="module">/];

/** The document in the script of Redoc, as a JavaScript literal on one line. */
const DEFINITION = /const __redoc_definition = (\{.*\});\n/;

/** Logos that Redoc would load from the network. They are replaced by LOGO. */
const LOGOS = ["https://cdn.redoc.ly/redoc/logo-mini-full.svg", "https://cdn.redoc.ly/redoc/logo-mini.svg"];
const LOGO = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="48" height="16"><text y="12" font-family="sans-serif" font-size="12" fill="#5b6cff">Redocly</text></svg>',
)}`;

/**
 * Completes a page that Redocly has built: moves the document into a data block, adds a script, and sets a policy that allows
 * only these scripts, by hash, and no network. Without it, HTML in Markdown descriptions could run code, because Redoc does not
 * sanitize it. The service can replace addresses in the page without changing a hash, because no script contains them.
 *
 * @throws Error when the page does not have the expected structure
 */
export function completePage(page: string, script: string): string {
  const definition = DEFINITION.exec(page)?.[1];
  if (definition === undefined) throw createStructureError("document");
  // `<` in JSON occurs only inside strings, where the escape means the same.
  const data = `<script type="application/json" id="definition">${definition.replaceAll("<", "\\u003c")}</script>`;
  const readData =
    'const __redoc_definition = JSON.parse(document.getElementById("definition").textContent);\n';
  const html = LOGOS.reduce((text, logo) => text.replaceAll(`\`${logo}\``, `\`${LOGO}\``), page).replace(
    DEFINITION,
    () => readData,
  );
  const scripts = SCRIPTS.map((start) => {
    const opening = start.exec(html);
    const end = opening ? html.indexOf("</script>", opening.index) : -1;
    if (!opening || end === -1) throw createStructureError(start.source);
    return html.slice(opening.index + opening[0].length, end);
  });
  const hashes = [...scripts, script].map(
    (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`,
  );
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
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  if (!html.includes("<head>")) throw createStructureError("<head>");
  return html
    .replace("<head>", () => `<head>${meta}`)
    .replace('<script type="module">', (start) => `${data}${start}${script}</script>${start}`);
}

function createStructureError(part: string): Error {
  return new Error(
    `Redocly's page has no ${part}. Adapt scripts/project/docs/content-security-policy.ts to it.`,
  );
}
