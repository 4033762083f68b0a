import type { JsonObject } from "../json.js";
import type { SourceText } from "./source-text.js";

/**
 * Finds a kind of common mistake in a schema that the official schemas of OpenAPI allow. Called for every object of a file, which
 * need not be a schema, so it must be fast.
 */
export type SchemaCheck = (schema: JsonObject) => SchemaMistake[];

export interface SchemaMistake {
  /** Keys that lead from the schema to the mistake. */
  keys: readonly string[];
  /**
   * Describes the mistake, and corrects it if the correction is certain. Returns undefined if it turns out to be none.
   *
   * @param location keys that lead to the schema in its file
   */
  describe(location: readonly string[], source: SourceText): string | undefined;
}
