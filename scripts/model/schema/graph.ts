import { getOrCreate } from "../../maps.js";
import {
  decodePercent,
  escapePointer,
  getOwnValue,
  isObject,
  type JsonObject,
  type JsonValue,
  toPointer,
  unescapePointer,
} from "../../json.js";
import { followPointer } from "../../follow-pointer.js";
import { getMember, listMembers } from "../node.js";
import { invertEdges, walkGraph } from "../../walk-graph.js";
import { type AnchorIndex, findOutermostSchemas, indexAnchors } from "./anchors.js";
import { readVocabulary } from "./dialects.js";
import { listParents, readDiscriminator } from "./discriminators.js";
import { Variants } from "./variants.js";
import { SchemaNames } from "./schema-names.js";
import { getKindOfMember, type ValueKind } from "../../json-schema/keywords.js";
import { type Direction, type Discriminator, type SchemaResolver, Schema } from "./schema.js";
import type { Resource, Source } from "./resource.js";
import { getDeclaredKeyword } from "./normalize.js";
import { resolveBase, resolveUri } from "../../json-schema/uri.js";

/** The schemas of a set of documents, linked to each other. Schemas and the index of `$id`s and anchors are created on demand. */
export class SchemaGraph implements SchemaResolver {
  private readonly sourcesByUri: ReadonlyMap<string, Source>;
  private readonly roots = new Map<Source, Resource>();
  private readonly schemas = new Map<Source, Map<string, Schema>>();
  private readonly targets = new Map<Resource, Map<string, Schema | undefined>>();
  private readonly discriminators = new Map<Schema, Discriminator | undefined>();
  readonly names: SchemaNames;
  private readonly componentsByName: ReadonlyMap<string, Schema>;
  private anchors: AnchorIndex | undefined;
  private variants: Variants | undefined;
  /** Lists the component schemas whose `allOf` refers to a schema. */
  private listExtending: ((schema: Schema) => readonly Schema[]) | undefined;

  /** @param sources the documents; `components` returns the component schemas of the first one */
  constructor(private readonly sources: readonly Source[]) {
    this.sourcesByUri = new Map(sources.map((source) => [source.uri, source]));
    this.componentsByName = this.findComponents();
    this.names = new SchemaNames(this);
  }

  /** Returns the schema at a JSON pointer of a document; undefined if there is no value. */
  findByPointer(uri: string, pointer: string): Schema | undefined {
    const source = this.sourcesByUri.get(uri);
    return source && this.findBelow(this.getRoot(source), pointer);
  }

  /** Returns the component schemas of the first document, by name. */
  components(): ReadonlyMap<string, Schema> {
    return this.componentsByName;
  }

  private findComponents(): ReadonlyMap<string, Schema> {
    const [source] = this.sources;
    if (!source || source.dialect === "json-schema") return new Map();
    const root = this.getRootResource(source);
    const components = getMember({ value: source.document, pointer: "" }, "components");
    const schemas = listMembers(getMember(components, "schemas"));
    return new Map(schemas.map(([name, { value, pointer }]) => [name, this.intern(value, pointer, root)]));
  }

  /** Creates a graph of the same documents, with other URIs, in which the schemas at some JSON pointers have other keywords. */
  withKeywords(uriSuffix: string, replacements: ReadonlyMap<string, JsonObject>): SchemaGraph {
    const copySource = (source: Source): Source =>
      source.dialect === "json-schema" ? source : { ...source, uri: source.uri + uriSuffix, replacements };
    return new SchemaGraph(this.sources.map(copySource));
  }

  /** Returns the component schemas whose `allOf` refers to a schema, directly or indirectly. */
  findDescendants(schema: Schema): ReadonlySet<Schema> {
    this.listExtending ??= invertEdges(this.components().values(), listParents);
    return new Set(walkGraph(this.listExtending(schema.original ?? schema), this.listExtending));
  }

  getSubschema(
    parent: Schema,
    keyword: string,
    key: string | number | undefined,
    value: JsonValue,
  ): Schema | undefined {
    const base = parent.original ?? parent;
    const declared = getDeclaredKeyword(base.value, keyword);
    const pointer = base.pointer + toPointer(key === undefined ? [declared] : [declared, String(key)]);
    const child = this.intern(value, pointer, base.resource);
    return parent.variant
      ? this.getVariants().getSubschemaVariant(parent.variant, keyword, key, child)
      : child;
  }

  resolveReference(from: Schema, reference: string): Schema | undefined {
    const base = from.original ?? from;
    const targets = getOrCreate(this.targets, base.resource, () => new Map<string, Schema | undefined>());
    const target = getOrCreate(targets, reference, () => this.findTarget(base, reference));
    return target && from.variant ? this.getVariants().getTargetVariant(from.variant, target) : target;
  }

  getVariant(schema: Schema, direction: Direction): Schema {
    return schema.variant ? schema : this.getVariants().getVariant(schema, direction);
  }

  getDiscriminator(schema: Schema): Discriminator | undefined {
    if (schema.keyword("discriminator") === undefined) return undefined;
    return getOrCreate(this.discriminators, schema, () => this.readDiscriminator(schema));
  }

  getDynamicAnchors(resource: Resource): ReadonlyMap<string, Schema> {
    return this.getAnchors().dynamicAnchors.get(resource.uri) ?? NO_ANCHORS;
  }

  private readDiscriminator(schema: Schema): Discriminator | undefined {
    const { original, variant } = schema;
    if (!original || !variant) return readDiscriminator(schema, this);
    const discriminator = this.getDiscriminator(original);
    if (!discriminator) return undefined;
    const mapping = [...discriminator.mapping].map(([value, target]): [string, Schema] => [
      value,
      this.getVariant(target, variant.direction),
    ]);
    return { ...discriminator, mapping: new Map(mapping) };
  }

  private getAnchors(): AnchorIndex {
    if (this.anchors) return this.anchors;
    const schemas = this.sources.flatMap((source) => {
      const root = this.getRootResource(source);
      return findOutermostSchemas(source).map(({ value, pointer }) => this.intern(value, pointer, root));
    });
    return (this.anchors = indexAnchors(schemas));
  }

  private getVariants(): Variants {
    return (this.variants ??= new Variants(this));
  }

  /** Returns the schema object at a JSON pointer; creates it on the first call. A schema with an `$id` starts a new resource. */
  private intern(value: JsonValue, pointer: string, parent: Resource): Schema {
    const schemas = getOrCreate(this.schemas, parent.source, () => new Map<string, Schema>());
    const existing = schemas.get(pointer);
    if (existing) return existing;
    let resource = parent;
    const isEmbedded = parent.source.dialect !== "openapi-3.0" && pointer !== parent.pointer;
    if (isEmbedded && isObject(value) && typeof value.$id === "string") {
      const uri = resolveBase(value, parent.uri);
      resource = { ...parent, ...this.readVocabulary(value, parent), uri, pointer };
    }
    const schema = new Schema(this, value, pointer, resource);
    schemas.set(pointer, schema);
    return schema;
  }

  private findTarget(from: Schema, reference: string): Schema | undefined {
    const { resource } = from;
    const { uri, fragment } = resolveUri(resource.uri, reference);
    const pointer = decodePercent(fragment);
    const target =
      fragment === "" || pointer.startsWith("/")
        ? this.findInResource(uri, pointer)
        : this.getAnchors().schemas.get(`${uri}#${pointer}`);
    if (target && !isDocumentOrSchemaMap(target)) return target;
    // `#/components/...` refers to the OpenAPI document even inside a schema with an `$id`.
    if (resource.source.dialect === "json-schema" || !reference.startsWith("#/")) return undefined;
    const inDocument = this.findBelow(this.getRoot(resource.source), decodePercent(reference.slice(1)));
    return inDocument && !isDocumentOrSchemaMap(inDocument) ? inDocument : undefined;
  }

  private findInResource(uri: string, pointer: string): Schema | undefined {
    const source = this.sourcesByUri.get(uri);
    const start = source ? this.getRoot(source) : this.getAnchors().schemas.get(uri);
    return start && this.findBelow(start, pointer);
  }

  private getRootResource(source: Source): Resource {
    return getOrCreate(this.roots, source, () => this.createRootResource(source));
  }

  private createRootResource(source: Source): Resource {
    const { document, uri, dialect } = source;
    if (dialect !== "json-schema") return { uri, source, pointer: "", keywords: undefined };
    const vocabulary = this.readVocabulary(document, undefined);
    return { uri: resolveBase(document, uri), source, pointer: "", ...vocabulary };
  }

  private getRoot(source: Source): PointerStart {
    return { value: source.document, pointer: "", resource: this.getRootResource(source) };
  }

  private readVocabulary(
    root: JsonValue,
    parent: Resource | undefined,
  ): Pick<Resource, "keywords" | "problem"> {
    return readVocabulary(root, parent, (uri) => this.sourcesByUri.get(uri)?.document);
  }

  /** Returns the schema at a JSON pointer below a schema or document. In OpenAPI, the pointer can pass through references. */
  private findBelow(start: PointerStart, pointer: string): Schema | undefined {
    const { source } = start.resource;
    const schema = this.followSegments(start, pointer);
    if (schema || source.dialect === "json-schema") return schema;
    const target = followPointer(source.document, start.pointer + pointer);
    return target && this.followSegments(this.getRoot(source), target.pointer);
  }

  /** Follows a JSON pointer, but no references. A schema with an `$id` on the way starts a resource. */
  private followSegments(start: PointerStart, pointer: string): Schema | undefined {
    let { value, pointer: path, resource } = start;
    const isDocument = start.pointer === "" && resource.source.dialect !== "json-schema";
    let kind: ValueKind = isDocument ? "object" : "schema";
    for (const segment of pointer.split("/").slice(1)) {
      const key = unescapePointer(segment);
      const member = getOwnValue(value, key);
      if (member === undefined) return undefined;
      value = member;
      path = `${path}/${escapePointer(key)}`;
      kind = getKindOfMember(kind, key);
      if (kind === "schema") resource = this.intern(value, path, resource).resource;
    }
    return this.intern(value, path, resource);
  }
}

const NO_ANCHORS: ReadonlyMap<string, Schema> = new Map();

type PointerStart = Pick<Schema, "value" | "pointer" | "resource">;

/** Whether a schema object wraps a whole OpenAPI document, or the object of its schemas. */
function isDocumentOrSchemaMap({ pointer, resource }: Schema): boolean {
  return resource.source.dialect !== "json-schema" && (pointer === "" || pointer === "/components/schemas");
}
