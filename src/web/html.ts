import { isSafeLink } from "../domain/url.js";
import { getOrCreate } from "../get-or-create.js";

/** HTML that is safe to insert unchanged. Templates escape all other values. */
export class Html {
  constructor(readonly text: string) {}
}

export type HtmlValue = Html | string | number | undefined | null | false | readonly HtmlValue[];

/**
 * Creates HTML from a template. Values are escaped for text and attributes in double quotes, except for Html. Lists are joined;
 * undefined, null and false are omitted. An unsafe link at the start of a URL attribute is replaced by `#`.
 */
export function html(template: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const segments = getOrCreate(templateSegments, template, splitTemplate);
  let result = "";
  for (const [index, { text, precedesUrl }] of segments.entries()) {
    const value = values[index];
    const isUnsafe = precedesUrl && !(typeof value === "string" && isSafeLink(value));
    result += text + (isUnsafe ? "#" : renderValue(value));
  }
  return new Html(result);
}

interface TemplateSegment {
  readonly text: string;
  /** Whether the value after the text is at the start of a URL attribute. */
  readonly precedesUrl: boolean;
}

/** Matches text that ends where the value of a URL attribute begins. */
const URL_ATTRIBUTE_START = /\s(?:href|src|action|formaction|poster|cite)\s*=\s*"$/i;

/** Segments of templates, by the array of their texts, which is the same in every evaluation of a template literal. */
const templateSegments = new WeakMap<TemplateStringsArray, readonly TemplateSegment[]>();

/** Splits a template into segments without the indentation of the source, which would be half of the bytes of a page. */
function splitTemplate(template: TemplateStringsArray): readonly TemplateSegment[] {
  return template.map((text) => ({
    text: text.replace(/\n\s*/g, "\n"),
    precedesUrl: URL_ATTRIBUTE_START.test(text),
  }));
}

function renderValue(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  if (value === undefined || value === null || value === false) return "";
  if (typeof value === "object") return value.map(renderValue).join("");
  return typeof value === "number" ? String(value) : escapeHtml(value);
}

/** Characters with a meaning in HTML, and NUL, which marks the parts of a page that are formatted later. */
const SPECIAL_CHARACTER = /[&<>"'\0]/;

function escapeHtml(text: string): string {
  if (!SPECIAL_CHARACTER.test(text)) return text;
  return text.replace(/[&<>"'\0]/g, (character) => `&#${character.charCodeAt(0)};`);
}
