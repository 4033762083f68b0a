import { createDocLines } from "../../code/encode.js";
import type { JsonValue } from "../../json.js";
import type { Schema } from "../../model/schema/schema.js";

/** Formats that doc comments leave out, because the name of the property and its value show that it is a URL. */
const OBVIOUS_FORMATS: ReadonlySet<string> = new Set(["uri", "uri-reference", "uri-template"]);

/** Returns the lines of a doc comment for a schema: title, description, format and tags such as `@deprecated`. */
export function createSchemaDocs(schema: Schema): string[] {
  const title = schema.text("title") ?? "";
  const description = schema.text("description") ?? "";
  const lines = createDocLines(title, description === title ? "" : description);
  const format = schema.text("format");
  const defaultValue = schema.keyword("default");
  const examples = schema.keyword("examples");
  const details = [
    ...(format === undefined || OBVIOUS_FORMATS.has(format) ? [] : createDocLines(`Format: ${format}`)),
    ...(schema.deprecated ? ["@deprecated"] : []),
    ...(defaultValue === undefined ? [] : formatTag("default", defaultValue)),
    ...(Array.isArray(examples) ? examples.flatMap((example) => formatTag("example", example)) : []),
  ];
  return lines.length > 1 && details.length > 0 ? [...lines, "", ...details] : [...lines, ...details];
}

function formatTag(tag: string, value: JsonValue): string[] {
  return createDocLines(`@${tag} ${typeof value === "string" ? value : JSON.stringify(value)}`);
}
