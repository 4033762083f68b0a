import type { Schema } from "../../../model/schema/schema.js";

/** A schema that cannot be compiled, and why. */
export class SchemaProblem extends Error {
  override readonly name = "SchemaProblem";

  constructor(
    readonly schema: Schema,
    message: string,
  ) {
    super(message);
  }
}
