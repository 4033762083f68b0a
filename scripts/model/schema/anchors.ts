import { isObject, type JsonValue } from "../../json.js";
import { getOrCreate } from "../../maps.js";
import { walkGraph } from "../../walk-graph.js";
import { listSubschemas } from "./composition.js";
import { walkValues } from "../../json-schema/walk-values.js";
import type { Schema } from "./schema.js";
import type { Resource, Source } from "./resource.js";

/** Index of the schemas in a set of documents by `$id` and by anchor, built on the first lookup. */
export class Anchors {
  /** Schemas by their `$id` as an absolute URI, and by that of their resource with their anchor as the fragment. */
  private readonly schemas = new Map<string, Schema>();
  private readonly dynamicAnchors = new Map<string, Map<string, Schema>>();
  private isBuilt = false;

  constructor(
    private readonly sources: readonly Source[],
    private readonly getRootResource: (source: Source) => Resource,
    private readonly intern: (value: JsonValue, pointer: string, resource: Resource) => Schema,
  ) {}

  /** Returns the schema with a URI, whose fragment is an `$anchor` or a `$dynamicAnchor`; undefined if there is none. */
  find(uri: string): Schema | undefined {
    this.buildIndex();
    return this.schemas.get(uri);
  }

  /** Returns the schemas of a resource with a `$dynamicAnchor`, by its name. */
  getDynamicAnchors(resource: Resource): ReadonlyMap<string, Schema> {
    this.buildIndex();
    return this.dynamicAnchors.get(resource.uri) ?? NO_ANCHORS;
  }

  /** Finds every `$id` and anchor of the documents. */
  private buildIndex(): void {
    if (this.isBuilt) return;
    this.isBuilt = true;
    for (const source of this.sources) {
      if (source.dialect === "openapi-3.0") continue;
      const root = this.getRootResource(source);
      const schemas =
        source.dialect === "json-schema"
          ? [this.intern(source.document, "", root)]
          : this.findOutermostSchemas(root);
      for (const schema of schemas) this.indexSchema(schema);
    }
  }

  /** Finds the schemas of an OpenAPI document that are not inside another schema. */
  private findOutermostSchemas(root: Resource): Schema[] {
    const values = [...walkValues(root.source.document, (_, parent) => parent.kind !== "schema")];
    const schemas = values.filter(({ kind }) => kind === "schema");
    return schemas.map(({ value, pointer }) => this.intern(value, pointer, root));
  }

  private indexSchema(root: Schema): void {
    for (const schema of walkGraph([root], listSubschemas)) {
      const { value, resource } = schema;
      if (!isObject(value)) continue;
      if (schema.pointer === resource.pointer) this.schemas.set(resource.uri, schema);
      for (const keyword of ["$anchor", "$dynamicAnchor"]) {
        const anchor = value[keyword];
        if (typeof anchor === "string") this.schemas.set(`${resource.uri}#${anchor}`, schema);
      }
      if (typeof value.$dynamicAnchor === "string") {
        const anchors = getOrCreate(this.dynamicAnchors, resource.uri, () => new Map<string, Schema>());
        anchors.set(value.$dynamicAnchor, schema);
      }
    }
  }
}

const NO_ANCHORS: ReadonlyMap<string, Schema> = new Map();
