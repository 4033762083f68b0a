import { escapePointer, isObject, type JsonValue, unescapePointer } from "../json.js";
import { Anchors } from "./anchors.js";
import { descendantsOf, readDiscriminator } from "./discriminators.js";
import { Forms } from "./forms.js";
import { SchemaNames } from "./names.js";
import { CORE_VOCABULARY, holdsOf, KNOWN_DIALECTS, vocabularyKeywords } from "./keywords.js";
import { type Direction, type Discriminator, type Links, Schema } from "./schema.js";
import type { Resource, Source } from "./source.js";
import { resolveUri } from "./uri.js";

/**
 * The schemas of some documents, linked to each other. Schemas are created on demand, and so is the index of `$id`s and
 * anchors.
 */
export class SchemaGraph implements Links {
  private readonly documents = new Map<string, Source>();
  private readonly roots = new Map<Source, Resource>();
  private readonly schemas = new Map<Source, Map<string, Schema>>();
  private readonly followed = new Map<Resource, Map<string, Schema | undefined>>();
  private readonly discriminators = new Map<Schema, Discriminator | undefined>();
  private readonly anchors: Anchors;
  private readonly names: SchemaNames;
  private named: ReadonlyMap<string, Schema> | undefined;
  private forms: Forms | undefined;
  private forFiles: SchemaGraph | undefined;
  private children: Map<Schema, Schema[]> | undefined;

  /** @param sources the first one is the document whose components have names */
  constructor(private readonly sources: readonly Source[]) {
    for (const source of sources) {
      this.documents.set(source.uri, source);
      this.schemas.set(source, new Map());
    }
    this.anchors = new Anchors(
      sources,
      (source) => this.rootOf(source),
      (value, pointer, resource) => this.intern(value, pointer, resource),
    );
    this.names = new SchemaNames(
      this.components().keys(),
      (schema, direction) => this.form(schema, direction),
      ({ resource }, pointer) => this.at(resource.source.uri, pointer),
    );
  }

  /** Returns the schema at a JSON pointer of a document; undefined if there is no value. */
  at(uri: string, pointer: string): Schema | undefined {
    const source = this.documents.get(uri);
    return source && this.walk(this.start(source), pointer);
  }

  /** The component schemas of the first document, by name. */
  components(): ReadonlyMap<string, Schema> {
    this.named ??= this.findComponents();
    return this.named;
  }

  private findComponents(): ReadonlyMap<string, Schema> {
    const [source] = this.sources;
    const found = new Map<string, Schema>();
    const document = source?.document;
    const components = isObject(document) ? document.components : undefined;
    const schemas = isObject(components) ? components.schemas : undefined;
    if (!source || source.dialect === "json-schema" || !isObject(schemas)) return found;
    for (const [name, value] of Object.entries(schemas)) {
      found.set(name, this.intern(value, `/components/schemas/${escapePointer(name)}`, this.rootOf(source)));
    }
    return found;
  }

  /** The same documents as forms and multipart bodies are read: their binary schemas allow everything. */
  get withFiles(): SchemaGraph {
    this.forFiles ??= new SchemaGraph(
      this.sources.map((source) =>
        source.dialect === "json-schema" ? source : { ...source, uri: `${source.uri}?files`, hasFiles: true },
      ),
    );
    return this.forFiles;
  }

  /** The component schemas whose `allOf` refers to a schema, directly or indirectly. */
  descendants(schema: Schema): ReadonlySet<Schema> {
    return descendantsOf(schema.origin ?? schema, (each) => this.extending(each));
  }

  child(
    parent: Schema,
    keyword: string,
    key: string | number | undefined,
    value: JsonValue,
  ): Schema | undefined {
    const base = parent.origin ?? parent;
    const pointer = key === undefined ? base.pointerTo(keyword) : base.pointerTo(keyword, key);
    const child = this.intern(value, pointer, base.resource);
    return parent.form ? this.formsOf().subschema(base, parent.form, keyword, key, child) : child;
  }

  follow(from: Schema, reference: string): Schema | undefined {
    const base = from.origin ?? from;
    const known = this.followed.get(base.resource) ?? new Map<string, Schema | undefined>();
    this.followed.set(base.resource, known);
    if (!known.has(reference)) known.set(reference, this.find(base, reference));
    const target = known.get(reference);
    return target && from.form ? this.formsOf().target(from.form, target) : target;
  }

  form(schema: Schema, direction: Direction): Schema {
    return schema.form ? schema : this.formsOf().formOf(schema, direction);
  }

  discriminator(schema: Schema): Discriminator | undefined {
    if (schema.keyword("discriminator") === undefined) return undefined;
    if (!this.discriminators.has(schema)) this.discriminators.set(schema, this.readDiscriminator(schema));
    return this.discriminators.get(schema);
  }

  dynamicAnchors(resource: Resource): ReadonlyMap<string, Schema> {
    return this.anchors.dynamicOf(resource);
  }

  nameOf(schema: Schema): string {
    return this.names.nameOf(schema);
  }

  uniquePointerOf(schema: Schema): string {
    return this.names.uniquePointerOf(schema);
  }

  private readDiscriminator(schema: Schema): Discriminator | undefined {
    const { origin, form } = schema;
    if (!origin || !form) {
      const components = this.components();
      return readDiscriminator(
        schema,
        (reference) => this.follow(schema, reference),
        (name) => components.get(name),
        (each) => this.extending(each),
      );
    }
    const found = this.discriminator(origin);
    if (!found) return undefined;
    const mapping = [...found.mapping].map(([value, target]): [string, Schema] => [
      value,
      this.form(target, form.direction),
    ]);
    return { ...found, mapping: new Map(mapping) };
  }

  private formsOf(): Forms {
    this.forms ??= new Forms(
      this.components().values(),
      (origin, form) => new Schema(this, origin.value, origin.pointer, origin.resource, origin, form),
    );
    return this.forms;
  }

  private extending(schema: Schema): readonly Schema[] {
    if (!this.children) {
      this.children = new Map();
      for (const component of this.components().values()) {
        for (const { reference } of component.list("allOf")) {
          if (!reference) continue;
          const list = this.children.get(reference);
          if (list) list.push(component);
          else this.children.set(reference, [component]);
        }
      }
    }
    return this.children.get(schema) ?? [];
  }

  /** Returns the one schema object for a pointer of a document. A schema with an `$id` is a separate resource. */
  private intern(value: JsonValue, pointer: string, parent: Resource): Schema {
    const schemas = this.schemas.get(parent.source);
    const known = schemas?.get(pointer);
    if (known) return known;
    let resource = parent;
    const isEmbedded = parent.source.dialect !== "openapi-3.0" && pointer !== parent.pointer;
    if (isEmbedded && isObject(value) && typeof value.$id === "string") {
      const { uri } = resolveUri(parent.uri, value.$id);
      resource = { ...parent, ...this.vocabulary(value, parent), uri, pointer };
    }
    const schema = new Schema(this, value, pointer, resource);
    schemas?.set(pointer, schema);
    return schema;
  }

  private find(from: Schema, reference: string): Schema | undefined {
    const { resource } = from;
    const { uri, fragment } = resolveUri(resource.uri, reference);
    const pointer = decode(fragment);
    const target =
      fragment === "" || pointer.startsWith("/")
        ? this.inside(uri, pointer)
        : this.anchors.withAnchor(uri, pointer);
    if (target && !isDocument(target)) return target;
    // OpenAPI's `#/components/...` means the document, whatever $id the schema around it has given itself.
    if (resource.source.dialect === "json-schema" || !reference.startsWith("#/")) return undefined;
    const inDocument = this.walk(this.start(resource.source), decode(reference.slice(1)));
    return inDocument && !isDocument(inDocument) ? inDocument : undefined;
  }

  private inside(uri: string, pointer: string): Schema | undefined {
    const source = this.documents.get(uri);
    if (source) return this.walk(this.start(source), pointer);
    const base = this.anchors.withId(uri);
    return (
      base &&
      this.walk(
        { value: base.value, pointer: base.pointer, resource: base.resource, kind: "schema" },
        pointer,
      )
    );
  }

  private rootOf(source: Source): Resource {
    const known = this.roots.get(source);
    if (known) return known;
    const { document, uri, dialect } = source;
    const id = dialect === "json-schema" && isObject(document) ? document.$id : undefined;
    const root: Resource = {
      uri: typeof id === "string" ? resolveUri(uri, id).uri : uri,
      source,
      pointer: "",
      keywords: undefined,
      ...(dialect === "json-schema" ? this.vocabulary(document, undefined) : {}),
    };
    this.roots.set(source, root);
    return root;
  }

  private start(source: Source): Step {
    const kind = source.dialect === "json-schema" ? "schema" : "document";
    return { value: source.document, pointer: "", resource: this.rootOf(source), kind };
  }

  /** The keywords of a resource whose metaschema leaves some out, or why it cannot be read. */
  private vocabulary(root: JsonValue, parent: Resource | undefined): Pick<Resource, "keywords" | "problem"> {
    const dialect =
      isObject(root) && typeof root.$schema === "string" ? root.$schema.replace(/#$/, "") : undefined;
    const isOpenApi = parent !== undefined && parent.source.dialect !== "json-schema";
    if (dialect === undefined || isOpenApi) return { keywords: parent?.keywords };
    if (KNOWN_DIALECTS.has(dialect)) return { keywords: undefined };
    const metaschema = this.documents.get(dialect)?.document;
    if (!isObject(metaschema) || !isObject(metaschema.$vocabulary)) {
      const problem = `the dialect ${JSON.stringify(dialect)} is not known; write it in draft 2020-12`;
      return { keywords: undefined, problem };
    }
    const keywords = new Set(vocabularyKeywords(CORE_VOCABULARY));
    for (const [name, isRequired] of Object.entries(metaschema.$vocabulary)) {
      const known = vocabularyKeywords(name);
      if (!known && isRequired === true) {
        return { keywords: undefined, problem: `the vocabulary ${JSON.stringify(name)} is not known` };
      }
      for (const keyword of known ?? []) keywords.add(keyword);
    }
    return { keywords };
  }

  /**
   * Follows a JSON pointer. A segment below a `$ref` is looked up in its target, as Redocly's resolver does; the
   * schema then has the pointer of the target.
   */
  private walk(from: Step, pointer: string, hops = 0): Schema | undefined {
    let step = from;
    for (const part of pointer.split("/").slice(1)) {
      const key = unescapePointer(part);
      const next = this.step(step, key) ?? this.stepThroughReference(step, key, hops);
      if (!next) return undefined;
      step = next;
    }
    return this.intern(step.value, step.pointer, step.resource);
  }

  private step({ value, pointer, resource, kind }: Step, key: string): Step | undefined {
    const member = memberOf(value, key);
    if (member === undefined) return undefined;
    const next = kindOfMember(kind, key);
    const path = `${pointer}/${escapePointer(key)}`;
    const inner = next === "schema" ? this.intern(member, path, resource).resource : resource;
    return { value: member, pointer: path, resource: inner, kind: next };
  }

  private stepThroughReference({ value, resource }: Step, key: string, hops: number): Step | undefined {
    const { source } = resource;
    const reference = isObject(value) ? value.$ref : undefined;
    if (typeof reference !== "string" || !reference.startsWith("#/") || hops >= MAX_HOPS) return undefined;
    if (source.dialect === "json-schema") return undefined;
    let step: Step | undefined = this.start(source);
    for (const part of [...decode(reference.slice(1)).split("/").slice(1).map(unescapePointer), key]) {
      step = step && (this.step(step, part) ?? this.stepThroughReference(step, part, hops + 1));
    }
    return step;
  }
}

/** A value on the path of a JSON pointer. */
interface Step {
  value: JsonValue;
  pointer: string;
  resource: Resource;
  kind: ValueKind;
}

/** The target of a pointer: a schema, an object or list of schemas, another part of an OpenAPI document, or data. */
type ValueKind = "schema" | "schemas" | "document" | "data";

function kindOfMember(kind: ValueKind, key: string): ValueKind {
  if (kind === "schemas") return "schema";
  if (kind === "schema") {
    const holds = holdsOf(key);
    if (holds === undefined) return "data";
    return holds === "one" ? "schema" : "schemas";
  }
  if (kind === "data") return "data";
  if (key === "schema" || key === "itemSchema") return "schema";
  return key === "schemas" ? "schemas" : "document";
}

function memberOf(value: JsonValue, key: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Whether a schema object wraps a whole OpenAPI document, or the object of its schemas. */
function isDocument({ pointer, resource }: Schema): boolean {
  return resource.source.dialect !== "json-schema" && (pointer === "" || pointer === "/components/schemas");
}

/** Maximum number of references on the path of a JSON pointer. */
const MAX_HOPS = 50;

function decode(fragment: string): string {
  try {
    return fragment.includes("%") ? decodeURIComponent(fragment) : fragment;
  } catch {
    return fragment;
  }
}
