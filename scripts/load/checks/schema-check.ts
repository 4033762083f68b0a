import type { JsonObject } from "../../json.js";
import type { SourceText } from "../text/source-text.js";

/** Finds a common mistake in a schema or path item at a JSON pointer, which OpenAPI allows or which can be corrected. Must be fast. */
export type SchemaCheck = (schema: JsonObject, pointer: string, source: SourceText) => SchemaMistake[];

export interface SchemaMistake {
  /** JSON pointer from the schema to the mistake. */
  relativePointer: string;
  /** Describes the mistake. Called only for mistakes that are shown, because it may take time. */
  describe: () => string;
  /** Changes the schema, if the correction is certain. */
  correct?: () => void;
}
