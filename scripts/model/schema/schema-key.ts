import type { Schema } from "./schema.js";

/** Creates the unique key of a schema: the URI of its document and its unique JSON pointer. */
export function createSchemaKey(schema: Schema): string {
  return `${schema.resource.source.uri}#${schema.uniquePointer}`;
}
