import { isObject } from "../../json.js";
import { type DocumentValue, walkValues } from "../../json-schema/walk-values.js";
import { getOrCreate } from "../../maps.js";
import { walkGraph } from "../../walk-graph.js";
import { listSubschemas } from "./composition.js";
import type { Source } from "./resource.js";
import type { Schema } from "./schema.js";

/** The schemas with an `$id` or an anchor in a set of documents. */
export interface AnchorIndex {
  /** Schemas by their `$id` as an absolute URI, and by that of their resource with their anchor as the fragment. */
  readonly schemas: ReadonlyMap<string, Schema>;
  /** Schemas with a `$dynamicAnchor` that a `$dynamicRef` names, by the URI of their resource and by the anchor. */
  readonly dynamicAnchors: ReadonlyMap<string, ReadonlyMap<string, Schema>>;
}

/** Finds the schemas of a document that are not inside another schema, if the document can have `$id`s and anchors. */
export function findOutermostSchemas({
  document,
  dialect,
}: Source): Pick<DocumentValue, "value" | "pointer">[] {
  if (dialect === "openapi-3.0") return [];
  if (dialect === "json-schema") return [{ value: document, pointer: "" }];
  const values = [...walkValues(document, (_, parent) => parent.kind !== "schema")];
  return values.filter(({ kind }) => kind === "schema");
}

/** Indexes the schemas by `$id` and by anchor, with their subschemas. */
export function indexAnchors(outermostSchemas: readonly Schema[]): AnchorIndex {
  const schemas = new Map<string, Schema>();
  const dynamicAnchors = new Map<string, Map<string, Schema>>();
  const all = outermostSchemas.flatMap((root) => [...walkGraph([root], listSubschemas)]);
  // Other anchors have no effect, and each one would double the number of possible dynamic scopes.
  const referenced = new Set(all.map((schema) => schema.text("$dynamicRef")?.replace(/^.*#/, "")));
  for (const schema of all) {
    const { value, pointer, resource } = schema;
    if (!isObject(value)) continue;
    if (pointer === resource.pointer) schemas.set(resource.uri, schema);
    for (const anchor of [value.$anchor, value.$dynamicAnchor])
      if (typeof anchor === "string") schemas.set(`${resource.uri}#${anchor}`, schema);
    if (typeof value.$dynamicAnchor === "string" && referenced.has(value.$dynamicAnchor))
      getOrCreate(dynamicAnchors, resource.uri, () => new Map<string, Schema>()).set(
        value.$dynamicAnchor,
        schema,
      );
  }
  return { schemas, dynamicAnchors };
}
