import { escapePointer, isObject, type JsonValue } from "../json.js";
import { DATA_KEYWORDS } from "./keywords.js";
import type { Schema } from "./schema.js";
import type { Resource, Source } from "./source.js";

/** The schemas of some documents by `$id` and by anchor. The index is built when the first reference needs it. */
export class Anchors {
  private readonly resources = new Map<string, Schema>();
  private readonly anchors = new Map<string, Schema>();
  private readonly dynamic = new Map<string, Map<string, Schema>>();
  private isBuilt = false;
  private hasDynamicReferences: boolean | undefined;

  /**
   * @param rootOf returns the resource of a whole document
   * @param intern returns the schema object for a value at a pointer
   */
  constructor(
    private readonly sources: readonly Source[],
    private readonly rootOf: (source: Source) => Resource,
    private readonly intern: (value: JsonValue, pointer: string, resource: Resource) => Schema,
  ) {}

  /** The schema with an `$id`, given as an absolute URI. */
  withId(uri: string): Schema | undefined {
    this.build();
    return this.resources.get(uri);
  }

  /** The schema with an `$anchor` or `$dynamicAnchor` in a resource. */
  withAnchor(uri: string, name: string): Schema | undefined {
    this.build();
    return this.anchors.get(`${uri}#${name}`);
  }

  /** The `$dynamicAnchor`s of a resource, by name. */
  dynamicOf(resource: Resource): ReadonlyMap<string, Schema> {
    // Skipped for most documents, which have no `$dynamicRef`: their validators need no dynamic scope.
    this.hasDynamicReferences ??= this.sources.some(
      ({ document, dialect }) => dialect !== "openapi-3.0" && containsKey(document, "$dynamicRef"),
    );
    if (!this.hasDynamicReferences) return NO_ANCHORS;
    this.build();
    return this.dynamic.get(resource.uri) ?? NO_ANCHORS;
  }

  /** Finds every `$id` and anchor of the documents. */
  private build(): void {
    if (this.isBuilt) return;
    this.isBuilt = true;
    for (const source of this.sources) {
      if (source.dialect === "openapi-3.0") continue;
      const root = this.rootOf(source);
      const schemas =
        source.dialect === "json-schema" ? [this.intern(source.document, "", root)] : this.outermost(root);
      for (const schema of schemas) this.indexSchema(schema);
    }
  }

  /** The outermost schemas of an OpenAPI document. */
  private outermost(root: Resource): Schema[] {
    const found: Schema[] = [];
    const pending: { value: JsonValue; pointer: string; isNamed: boolean }[] = [
      { value: root.source.document, pointer: "", isNamed: false },
    ];
    for (let next = pending.pop(); next; next = pending.pop()) {
      const { value, pointer, isNamed } = next;
      if (typeof value !== "object" || value === null) continue;
      for (const [key, member] of Object.entries(value)) {
        const path = `${pointer}/${escapePointer(key)}`;
        const isSchema =
          pointer === "/components/schemas" || (!isNamed && (key === "schema" || key === "itemSchema"));
        if (isSchema) found.push(this.intern(member, path, root));
        else if (isNamed || !DATA_KEYWORDS.has(key)) {
          pending.push({ value: member, pointer: path, isNamed: NAMED.has(key) && !isNamed });
        }
      }
    }
    return found;
  }

  private indexSchema(outermost: Schema): void {
    const pending = [outermost];
    for (let schema = pending.pop(); schema; schema = pending.pop()) {
      const { value, resource } = schema;
      if (!isObject(value)) continue;
      if (schema.pointer === resource.pointer) this.resources.set(resource.uri, schema);
      for (const keyword of ["$anchor", "$dynamicAnchor"]) {
        const anchor = value[keyword];
        if (typeof anchor === "string") this.anchors.set(`${resource.uri}#${anchor}`, schema);
      }
      if (typeof value.$dynamicAnchor === "string") {
        const anchors = this.dynamic.get(resource.uri) ?? new Map<string, Schema>();
        this.dynamic.set(resource.uri, anchors.set(value.$dynamicAnchor, schema));
      }
      for (const { schema: subschema } of schema.subschemas()) pending.push(subschema);
    }
  }
}

const NO_ANCHORS: ReadonlyMap<string, Schema> = new Map();

/** Members of an OpenAPI document whose own members have names that the document chose. */
const NAMED: ReadonlySet<string> = new Set(
  "paths schemas parameters requestBodies responses headers pathItems callbacks webhooks content encoding examples links securitySchemes mediaTypes".split(
    " ",
  ),
);

function containsKey(root: JsonValue, key: string): boolean {
  const pending = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== "object" || value === null) continue;
    if (!Array.isArray(value) && Object.hasOwn(value, key)) return true;
    for (const member of Object.values(value)) pending.push(member);
  }
  return false;
}
