/** A piece of HTML, which goes into other HTML as it is; any other text is escaped. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

/** What can stand in a template. */
export type Part = Html | string | number | undefined | false | readonly Part[];

/**
 * Makes HTML from a template. Values are escaped, for text and for attributes in quotes alike, unless they are HTML
 * themselves; lists are joined; undefined and false are nothing.
 */
export function html(texts: TemplateStringsArray, ...values: readonly Part[]): Html {
  let result = texts[0] ?? "";
  for (const [index, value] of values.entries()) result += render(value) + (texts[index + 1] ?? "");
  return new Html(result);
}

function render(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === undefined || part === false) return "";
  if (typeof part === "object") return part.map(render).join("");
  return typeof part === "number" ? String(part) : escapeHtml(part);
}

const SPECIAL = /[&<>"']/;

function escapeHtml(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
