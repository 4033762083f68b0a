import { commentText } from "../../code/encode.js";
import type { JsonValue } from "../../model/model.js";
import type { Schema } from "../../model/schema/schema.js";

/** Formats that are usually obvious from the name of the property; large documents have thousands of them. */
const OBVIOUS: ReadonlySet<string> = new Set(["uri", "uri-reference", "uri-template"]);

/** The annotations of a schema as the lines of a doc comment. */
export function schemaDocs(schema: Schema): string[] {
  const title = schema.text("title") ?? "";
  const description = schema.text("description") ?? "";
  const paragraphs = [title, description === title ? "" : description]
    .map(linesOf)
    .filter((lines) => lines.length > 0);
  const lines = paragraphs.flatMap((paragraph, index) => (index === 0 ? paragraph : ["", ...paragraph]));
  const tags: string[] = [];
  const format = schema.text("format");
  if (format !== undefined && !OBVIOUS.has(format)) tags.push(...linesOf(`Format: ${format}`));
  if (schema.deprecated) tags.push("@deprecated");
  const byDefault = schema.keyword("default");
  if (byDefault !== undefined) tags.push(...tagLines("default", byDefault));
  const examples = schema.keyword("examples");
  for (const example of Array.isArray(examples) ? examples : []) tags.push(...tagLines("example", example));
  return lines.length > 0 && tags.length > 0 && lines.length > 1
    ? [...lines, "", ...tags]
    : [...lines, ...tags];
}

function tagLines(tag: string, value: JsonValue): string[] {
  return linesOf(`@${tag} ${typeof value === "string" ? value : JSON.stringify(value)}`);
}

function linesOf(text: string): string[] {
  const safe = commentText(text);
  return safe === "" ? [] : safe.split("\n");
}

/** The lines of a block comment; none for an empty one. */
export function docLines(lines: readonly string[]): string[] {
  const [only, ...others] = lines;
  if (only === undefined) return [];
  if (others.length === 0) return [`/** ${only} */`];
  return ["/**", ...lines.map((line) => (line === "" ? " *" : ` * ${line}`)), " */"];
}
