import type { JsonObject } from "../../json.js";
import type { SourceText } from "../text/source-text.js";

/**
 * Finds a kind of common mistake in a schema or path item, which the official schemas of OpenAPI allow or which can be corrected. Called
 * for most objects of a file, so it must be fast.
 *
 * @param pointer JSON pointer of the schema in its file
 */
export type SchemaCheck = (schema: JsonObject, pointer: string, source: SourceText) => SchemaMistake[];

export interface SchemaMistake {
  /** JSON pointer from the schema to the mistake. */
  relativePointer: string;
  /** Describes the mistake. Called only for mistakes that are shown, because it may take time. */
  describe: () => string;
  /** Changes the schema, if the correction is certain. */
  correct?: () => void;
}
