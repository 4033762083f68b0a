import type { JsonObject } from "../json.js";
import type { SourceText } from "./source-text.js";

/** A check for a common mistake in a schema that the official schemas of OpenAPI allow. */
export interface SchemaCheck {
  /** Whether an object would have the mistake if it is a schema. Called for every object of a file, so it must be fast. */
  mayFail(this: void, schema: JsonObject): boolean;
  /**
   * Finds the mistakes, and corrects those whose correction is certain.
   *
   * @param location keys that lead to the schema in its file
   */
  findMistakes(
    this: void,
    schema: JsonObject,
    location: readonly string[],
    source: SourceText,
  ): SchemaMistake[];
}

interface SchemaMistake {
  message: string;
  /** Keys that lead from the schema to the mistake. */
  keys: readonly string[];
}
