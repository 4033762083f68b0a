import type { Schema } from "./schema.js";

/** Thrown for a schema for which no code can be generated. The message is the reason. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
  /** JSON pointer of the keyword, or of the schema. */
  readonly pointer: string;

  constructor(schema: Schema, message: string, keyword?: string) {
    super(message);
    this.pointer = keyword === undefined ? schema.pointer : `${schema.pointer}/${keyword}`;
  }
}
