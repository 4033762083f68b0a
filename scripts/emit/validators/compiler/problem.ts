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
