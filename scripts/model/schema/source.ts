import type { JsonValue } from "../json.js";
import type { Position } from "../../diagnostic.js";

/**
 * The dialect of the schemas of a document. OpenAPI 3.0 has no `$id` and no anchors, and its `$ref` stands alone. Both
 * versions of OpenAPI are read with `nullable` and with boolean exclusive bounds: many documents of 3.1 still have
 * them, with the same meaning.
 */
export type Dialect = "json-schema" | "openapi-3.0" | "openapi-3.1";

/** A JSON document that contains schemas, and its URI in references. */
export interface Source {
  uri: string;
  document: JsonValue;
  dialect: Dialect;
  /** Whether binary schemas allow everything: in a form their values arrive as bytes or as files. */
  hasFiles?: boolean;
  /** Returns the source location of a JSON pointer into the document. */
  locate?: (pointer: string) => Position;
}

/** A schema resource: a whole document, or a schema with an `$id`, which is the base of the references in it. */
export interface Resource {
  uri: string;
  source: Source;
  /** JSON pointer of its root. */
  pointer: string;
  /** The keywords in use, where a metaschema leaves out some; undefined for all of them. */
  keywords: ReadonlySet<string> | undefined;
  /** Why its schemas cannot be read: an unknown dialect or vocabulary. */
  problem?: string;
}
