import type { JsonValue } from "../../../json.js";
import type { Schema } from "../../../model/schema/schema.js";
import { SchemaError } from "../../../model/schema/schema-error.js";

/** Creates the error for a keyword whose value is not the expected one, e.g. "a number". */
export function createValueError(
  schema: Schema,
  keyword: string,
  expected: string,
  value: JsonValue,
): SchemaError {
  return new SchemaError(schema, `${keyword} must be ${expected}, not ${shortenJson(value)}`, keyword);
}

/** Formats a value as JSON, shortened for a message. */
export function shortenJson(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
