import { isSafeLink } from "../domain/links.js";

/** Safe HTML, which templates insert unchanged. They escape every other value. */
export class Html {
  constructor(readonly text: string) {}

  /** The HTML as text. */
  toString(): string {
    return this.text;
  }
}

/** A value in a template. */
export type Part = Html | string | number | undefined | false | readonly Part[];

/**
 * Creates HTML from a template. Values are escaped for text and quoted attributes, except for Html. Lists are joined;
 * undefined and false are omitted. An unsafe link at the start of a URL attribute is replaced by `#`.
 */
export function html(template: TemplateStringsArray, ...values: readonly Part[]): Html {
  const texts = compact(template);
  let result = "";
  for (const [index, { text, beginsUrl }] of texts.entries()) {
    const value = values[index];
    result += text + (beginsUrl && !isSafeUrl(value) ? "#" : render(value));
  }
  return new Html(result);
}

/** A text of a template, and whether the value after it begins an attribute with a URL. */
interface TemplateText {
  readonly text: string;
  readonly beginsUrl: boolean;
}

const URL_ATTRIBUTE = /\s(?:href|src|action|formaction|poster|cite)\s*=\s*"$/i;

const compacted = new WeakMap<TemplateStringsArray, readonly TemplateText[]>();

/** Removes the indentation of the source from a template: it would be half of a page. */
function compact(template: TemplateStringsArray): readonly TemplateText[] {
  let texts = compacted.get(template);
  if (texts === undefined) {
    texts = template.map((text) => ({
      text: text.replace(/\n\s*/g, "\n"),
      beginsUrl: URL_ATTRIBUTE.test(text),
    }));
    compacted.set(template, texts);
  }
  return texts;
}

function isSafeUrl(part: Part): boolean {
  return typeof part === "string" && isSafeLink(part);
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
