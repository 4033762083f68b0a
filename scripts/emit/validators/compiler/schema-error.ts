import type { JsonValue } from "../../../json.js";
import type { Schema } from "../../../model/schema/schema.js";

/** Thrown for a schema that cannot be compiled. The message is the reason. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
  /** JSON pointer of the keyword, or of the schema. */
  readonly pointer: string;

  constructor(schema: Schema, message: string, keyword?: string) {
    super(message);
    this.pointer = keyword === undefined ? schema.pointer : `${schema.pointer}/${keyword}`;
  }
}

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
