import type { JsonObject, JsonValue } from "../../json.js";

/**
 * The dialect of a document's schemas; `openapi-3.1` includes later versions. OpenAPI 3.0 has no `$id` and no anchors, and ignores most
 * keywords beside `$ref`. `nullable` and boolean exclusive bounds are read in all versions, because many documents of 3.1 use them.
 */
export type Dialect = "json-schema" | "openapi-3.0" | "openapi-3.1";

/** A JSON document that contains schemas, and its URI in references. */
export interface Source {
  uri: string;
  document: JsonValue;
  dialect: Dialect;
  /** Keywords of some schemas, by JSON pointer, in place of those of the document. */
  replacements?: ReadonlyMap<string, JsonObject>;
}

/** A schema resource: a whole document or a schema with an `$id`. Its URI is the base of the references in it. */
export interface Resource {
  uri: string;
  source: Source;
  /** JSON pointer of the root schema of the resource. */
  pointer: string;
  /** The keywords that the metaschema enables; undefined for all keywords. */
  keywords: ReadonlySet<string> | undefined;
  /** The reason why the schemas cannot be read: an unknown dialect or vocabulary. */
  problem?: string;
}
