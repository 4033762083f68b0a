import { type JsonValue, isObject } from "../../json.js";

/** Beginnings of lines that are not the continuation of a paragraph: blocks of Markdown, and blank lines. */
const BLOCK = /^\s*(?:[-*+] |\d+[.)] |#|\||>|<|```|$)/;

/** Joins the lines of paragraphs. The search of Redoc would show them without the space between two lines. */
export function unwrapParagraphs(markdown: string): string {
  const lines: string[] = [];
  let isCode = false;
  let isOpen = false;
  for (const line of markdown.split("\n")) {
    const isFence = /^\s*```/.test(line);
    if (!isCode && isOpen && !BLOCK.test(line)) lines.push(`${lines.pop()} ${line.trimStart()}`);
    else lines.push(line);
    if (isFence) isCode = !isCode;
    // Headings and tables end with their line.
    isOpen = !isCode && !isFence && !/^\s*(?:#|\||<|$)/.test(line);
  }
  return lines.join("\n");
}

/** Joins the lines of paragraphs in all descriptions of a document. */
export function unwrapDescriptions(value: JsonValue | undefined): void {
  if (Array.isArray(value)) value.forEach(unwrapDescriptions);
  if (!isObject(value)) return;
  for (const [key, child] of Object.entries(value)) {
    if (key === "description" && typeof child === "string") value[key] = unwrapParagraphs(child);
    else unwrapDescriptions(child);
  }
}
