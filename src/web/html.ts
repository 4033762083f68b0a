/** A piece of HTML, which goes into other HTML as it is; any other text is escaped. */
export class Html {
  constructor(readonly text: string) {}

  /** The HTML as text. */
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
export function html(template: TemplateStringsArray, ...values: readonly Part[]): Html {
  const texts = compact(template);
  let result = texts[0] ?? "";
  for (let index = 0; index < values.length; index += 1) {
    result += render(values[index]) + (texts[index + 1] ?? "");
  }
  return new Html(result);
}

const compacted = new WeakMap<TemplateStringsArray, readonly string[]>();

/** The texts of a template without the indentation of its source, which would be half of a page. */
function compact(template: TemplateStringsArray): readonly string[] {
  let texts = compacted.get(template);
  if (texts === undefined) {
    texts = template.map((text) => text.replace(/\n\s*/g, "\n"));
    compacted.set(template, texts);
  }
  return texts;
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
