import type { JsonValue } from "../../../json.js";
import type { Schema } from "../../../model/schema/schema.js";

/** Thrown for a schema that cannot be compiled. The message is the reason. */
export class SchemaProblem extends Error {
  override readonly name = "SchemaProblem";
  /** JSON pointer of the keyword, or of the schema. */
  readonly pointer: string;

  constructor(schema: Schema, message: string, keyword?: string) {
    super(message);
    this.pointer = keyword === undefined ? schema.pointer : `${schema.pointer}/${keyword}`;
  }
}

/** Creates the problem of a keyword with another value than the expected one, e.g. "a number". */
export function createValueProblem(
  schema: Schema,
  keyword: string,
  expected: string,
  value: JsonValue,
): SchemaProblem {
  return new SchemaProblem(schema, `${keyword} must be ${expected}, not ${preview(value)}`, keyword);
}

/** Formats a value for a message, shortened. */
export function preview(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
