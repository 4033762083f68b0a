/**
 * Whether an Accept header asks for HTML rather than JSON, as those of browsers do. A range such as `text/*` is no such
 * wish: programs send it without a thought.
 */
export function prefersHtml(accept: string | undefined): boolean {
  return qualityOf(accept, "text/html") > qualityOf(accept, "application/json");
}

/** How much a type is wanted that the header names; 0 when it names it not. */
function qualityOf(accept = "", type: string): number {
  for (const entry of accept.toLowerCase().split(",")) {
    const [name = "", ...parameters] = entry.split(";").map((part) => part.trim());
    if (name !== type) continue;
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0;
  }
  return 0;
}
