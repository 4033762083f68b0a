import { escapeCommentText } from "../../code/encode.js";
import type { JsonValue } from "../../json.js";
import type { Schema } from "../../model/schema/schema.js";

/** Formats that doc comments leave out, because the name of the property usually implies them. */
const OBVIOUS_FORMATS: ReadonlySet<string> = new Set(["uri", "uri-reference", "uri-template"]);

/** Returns the lines of a doc comment for a schema: title, description, format and tags such as `@deprecated`. */
export function describeSchema(schema: Schema): string[] {
  const title = schema.text("title") ?? "";
  const description = schema.text("description") ?? "";
  const paragraphs = [title, description === title ? "" : description]
    .map(splitCommentLines)
    .filter((lines) => lines.length > 0);
  const lines = paragraphs.flatMap((paragraph, index) => (index === 0 ? paragraph : ["", ...paragraph]));
  const details: string[] = [];
  const format = schema.text("format");
  if (format !== undefined && !OBVIOUS_FORMATS.has(format))
    details.push(...splitCommentLines(`Format: ${format}`));
  if (schema.deprecated) details.push("@deprecated");
  const defaultValue = schema.keyword("default");
  if (defaultValue !== undefined) details.push(...formatTag("default", defaultValue));
  const examples = schema.keyword("examples");
  for (const example of Array.isArray(examples) ? examples : [])
    details.push(...formatTag("example", example));
  return lines.length > 1 && details.length > 0 ? [...lines, "", ...details] : [...lines, ...details];
}

function formatTag(tag: string, value: JsonValue): string[] {
  return splitCommentLines(`@${tag} ${typeof value === "string" ? value : JSON.stringify(value)}`);
}

function splitCommentLines(text: string): string[] {
  const safe = escapeCommentText(text);
  return safe === "" ? [] : safe.split("\n");
}
