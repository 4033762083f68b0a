import type { Schema } from "../../../model/schema/schema.js";

/** A schema that cannot be compiled, and why. */
export class SchemaProblem extends Error {
  override readonly name = "SchemaProblem";
  /** JSON pointer of the keyword, or of the schema. */
  readonly pointer: string;

  constructor(
    readonly schema: Schema,
    message: string,
    keyword?: string,
  ) {
    super(message);
    this.pointer = keyword === undefined ? schema.pointer : `${schema.pointer}/${keyword}`;
  }
}
