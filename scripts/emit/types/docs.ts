import { createDocLines } from "../../code/encode.js";
import type { JsonValue } from "../../json.js";
import type { Example } from "../../model/model.js";
import type { Schema } from "../../model/schema/schema.js";

/** An object of the document with text for a doc comment. */
export interface AnnotatedObject {
  summary?: string;
  description?: string;
  deprecated?: boolean;
  examples?: readonly Example[];
}

/** Returns the lines of a doc comment for an operation, parameter, header or message, in the format of openapi-typescript. */
export function createObjectDocs({ summary, description, deprecated, examples }: AnnotatedObject): string[] {
  const [example] = examples ?? [];
  return [
    ...createDocLines(summary || (description ?? "")),
    ...(deprecated ? ["@deprecated"] : []),
    ...(example ? formatTag("example", example.value, 2) : []),
  ];
}

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

/** Maximum number of characters of a value in a doc comment. A longer one, such as an image, would hide the type in editors. */
const MAX_VALUE_LENGTH = 1000;

/**
 * Formats a tag with a value, whose members are on lines of their own if `indent` is the width of their indentation. Returns no
 * lines if the value is too long.
 */
function formatTag(tag: string, value: JsonValue, indent?: number): string[] {
  const text = typeof value === "string" ? value.trim() : JSON.stringify(value, null, indent);
  return text.length > MAX_VALUE_LENGTH ? [] : createDocLines(`@${tag} ${text}`);
}
