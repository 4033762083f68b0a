import { isObject, type JsonObject, type JsonValue, unescapePointer } from "../../json.js";
import { getSubschemaShape, type SubschemaShape } from "../../json-schema/keywords.js";
import { normalizeSchema, type NormalizedSchema, removeRequiredNames } from "./normalize.js";
import type { Resource } from "./resource.js";

/** The direction of the messages that contain a schema. */
export type Direction = "request" | "response";

/** A variant of a schema for requests or responses. */
export interface Variant {
  direction: Direction;
  /** Names of properties that are removed from the value, and therefore from `required`. */
  removed: ReadonlySet<string>;
  /** Names of discriminator properties. They are kept as optional properties even if they are readOnly or writeOnly. */
  discriminatorProperties: ReadonlySet<string>;
  /** Unique among the variants of a schema. */
  key: string;
}

/** A discriminator: the name of its property, and the schema for each value of the property. */
export interface Discriminator {
  propertyName: string;
  mapping: ReadonlyMap<string, Schema>;
}

/** Resolves the subschemas, references, variants and names of schemas; `graph.ts` implements it. */
export interface SchemaResolver {
  readonly names: { getName(schema: Schema): string; getKey(schema: Schema): string };
  getSubschema(
    parent: Schema,
    keyword: string,
    key: string | number | undefined,
    value: JsonValue,
  ): Schema | undefined;
  /** Resolves a reference; undefined if there is no target. */
  resolveReference(from: Schema, reference: string): Schema | undefined;
  getVariant(schema: Schema, direction: Direction): Schema;
  getDiscriminator(schema: Schema): Discriminator | undefined;
  getDynamicAnchors(resource: Resource): ReadonlyMap<string, Schema>;
  findByPointer(uri: string, pointer: string): Schema | undefined;
  components(): ReadonlyMap<string, Schema>;
  findDescendants(schema: Schema): ReadonlySet<Schema>;
}

/** A subschema and the keyword that contains it. */
export interface Subschema {
  keyword: string;
  schema: Schema;
}

/** The subschemas of a keyword. */
type Children = Schema | readonly Schema[] | ReadonlyMap<string, Schema>;

const NO_KEYWORDS: NormalizedSchema = { keywords: {}, nullable: false };
const NONE: readonly never[] = [];
const NO_MEMBERS: ReadonlyMap<string, Schema> = new Map();

/**
 * A schema with its references resolved to other schemas, and its keywords in draft 2020-12. Each JSON pointer and variant has one object,
 * so that schemas can be compared and used as keys. Everything is computed on demand.
 */
export class Schema {
  private normalized: NormalizedSchema | undefined;
  private children: Map<string, Children> | undefined;

  /**
   * @param value the JSON value as the document has it
   * @param original the schema of the document, for a variant of it; undefined for the schema itself
   */
  constructor(
    private readonly resolver: SchemaResolver,
    readonly value: JsonValue,
    readonly pointer: string,
    readonly resource: Resource,
    readonly original: Schema | undefined = undefined,
    readonly variant: Variant | undefined = undefined,
  ) {}

  /** The value of a boolean schema; undefined for any other. */
  get booleanValue(): boolean | undefined {
    return typeof this.value === "boolean" ? this.value : undefined;
  }

  /** The keywords in draft 2020-12, without those that the variant removes. `subschema` and others return subschemas. */
  get keywords(): Readonly<JsonObject> {
    return this.getNormalized().keywords;
  }

  /** Whether null is allowed regardless of the keywords (`nullable` of OpenAPI 3.0). */
  get nullable(): boolean {
    return this.getNormalized().nullable;
  }

  /** The reason why the schema cannot be read: its dialect or a vocabulary is unknown. */
  get problem(): string | undefined {
    return this.getNormalized().problem;
  }

  /** Returns the value of a keyword; undefined if the schema does not have it. */
  keyword(name: string): JsonValue | undefined {
    const { keywords } = this.getNormalized();
    return Object.hasOwn(keywords, name) ? keywords[name] : undefined;
  }

  /** Returns the text of a keyword; undefined if it is absent or not a string. */
  text(name: string): string | undefined {
    const value = this.keyword(name);
    return typeof value === "string" ? value : undefined;
  }

  /** The types that `type` declares; undefined when it is absent. */
  get declaredTypes(): readonly string[] | undefined {
    const type = this.keyword("type");
    return type === undefined ? undefined : [type].flat().filter((each) => typeof each === "string");
  }

  /** The values that `const` or `enum` lists, in its order; undefined when there is neither. */
  get listedValues(): readonly JsonValue[] | undefined {
    const constant = this.keyword("const");
    if (constant !== undefined) return [constant];
    const values = this.keyword("enum");
    return Array.isArray(values) ? values : undefined;
  }

  get required(): readonly string[] {
    const names = this.keyword("required");
    return Array.isArray(names) ? names.filter((name) => typeof name === "string") : NONE;
  }

  get deprecated(): boolean {
    return this.keyword("deprecated") === true;
  }

  /** The target of `$ref`; undefined without a `$ref` or if the target does not exist. */
  get reference(): Schema | undefined {
    const target = this.text("$ref");
    return target === undefined ? undefined : this.resolver.resolveReference(this, target);
  }

  /** The static target of `$dynamicRef`, and its `$dynamicAnchor`, for which the dynamic scope can have another schema. */
  get dynamicReference(): { schema: Schema; anchor: string | undefined } | undefined {
    const target = this.text("$dynamicRef");
    const schema = target === undefined ? undefined : this.resolver.resolveReference(this, target);
    if (target === undefined || !schema) return undefined;
    const anchor = target.slice(target.indexOf("#") + 1);
    return { schema, anchor: schema.keyword("$dynamicAnchor") === anchor ? anchor : undefined };
  }

  /** The schemas with a `$dynamicAnchor` in the same resource, by anchor. */
  get dynamicAnchors(): ReadonlyMap<string, Schema> {
    return this.resolver.getDynamicAnchors(this.resource);
  }

  /** Returns the subschema of a keyword with one schema, such as `items`; undefined if the keyword is absent. */
  subschema(keyword: string): Schema | undefined {
    return this.getChildren<Schema>(keyword, "single");
  }

  /** Returns the subschemas of a keyword with a list of schemas, such as `allOf`; none if the keyword is absent. */
  subschemaList(keyword: string): readonly Schema[] {
    return this.getChildren<readonly Schema[]>(keyword, "list") ?? NONE;
  }

  /** Returns the subschemas of a keyword with an object of schemas, such as `properties`; none if it is absent. */
  subschemaMap(keyword: string): ReadonlyMap<string, Schema> {
    return this.getChildren<ReadonlyMap<string, Schema>>(keyword, "map") ?? NO_MEMBERS;
  }

  /** Returns the subschemas of a keyword. Creates them on the first call, unless the keyword has another shape. */
  private getChildren<T extends Children>(keyword: string, shape: SubschemaShape): T | undefined {
    if (getSubschemaShape(keyword) !== shape) return undefined;
    const cached = this.children?.get(keyword);
    // Safe casts: a keyword has subschemas of one shape.
    if (cached) return cached as T;
    const value = this.keyword(keyword);
    const children = value === undefined ? undefined : this.createChildren(keyword, shape, value);
    if (children) (this.children ??= new Map()).set(keyword, children);
    return children as T | undefined;
  }

  private createChildren(keyword: string, shape: SubschemaShape, value: JsonValue): Children | undefined {
    const create = (key: string | number | undefined, child: JsonValue): Schema | undefined =>
      this.resolver.getSubschema(this, keyword, key, child);
    if (shape === "single") return create(undefined, value);
    if (shape === "list")
      return Array.isArray(value) ? value.flatMap((child, index) => create(index, child) ?? []) : undefined;
    if (!isObject(value)) return undefined;
    const entries = Object.entries(value).map(([name, child]) => [name, create(name, child)] as const);
    return new Map(entries.flatMap(([name, child]) => (child ? [[name, child]] : [])));
  }

  get properties(): ReadonlyMap<string, Schema> {
    return this.subschemaMap("properties");
  }

  /** The branches of `anyOf` and of `oneOf`. A value must match a branch of each. */
  get unions(): readonly (readonly Schema[])[] {
    return [this.subschemaList("anyOf"), this.subschemaList("oneOf")].filter(
      (branches) => branches.length > 0,
    );
  }

  /** Yields every subschema, in the order of the document. */
  *subschemas(): Generator<Subschema> {
    for (const keyword of Object.keys(this.keywords)) {
      const shape = getSubschemaShape(keyword);
      const children = shape && this.getChildren(keyword, shape);
      if (!children) continue;
      if (children instanceof Schema) yield { keyword, schema: children };
      else for (const schema of children.values()) yield { keyword, schema };
    }
  }

  /** The discriminator with all its values, including those that `mapping` leaves out. */
  get discriminator(): Discriminator | undefined {
    return this.resolver.getDiscriminator(this);
  }

  /** The schema for requests, without readOnly properties; the same object if there are none. */
  get request(): Schema {
    return this.resolver.getVariant(this, "request");
  }

  /** The schema for responses, without writeOnly properties; the same object if there are none. */
  get response(): Schema {
    return this.resolver.getVariant(this, "response");
  }

  /** Name of the schema in `components.schemas`; undefined for any other schema. */
  get component(): string | undefined {
    const name = /^\/components\/schemas\/([^/]*)$/.exec(this.pointer)?.[1];
    return name === undefined ? undefined : unescapePointer(name);
  }

  /** Whether the schema is in the components of the document, which operations share. */
  get isInComponents(): boolean {
    return this.pointer.startsWith("/components/");
  }

  /** Unique name in the document. The response variant of a component has the component's name, its request variant is `<Name>Request`. */
  get name(): string {
    return this.resolver.names.getName(this);
  }

  /** Unique key: the URI of the document, and a JSON pointer that includes the name of the variant. */
  get key(): string {
    return this.resolver.names.getKey(this);
  }

  private getNormalized(): NormalizedSchema {
    if (this.normalized) return this.normalized;
    const normalized = isObject(this.value)
      ? normalizeSchema(this.value, this.pointer, this.resource)
      : NO_KEYWORDS;
    this.normalized =
      this.variant && this.variant.removed.size > 0
        ? { ...normalized, keywords: removeRequiredNames(normalized.keywords, this.variant.removed) }
        : normalized;
    return this.normalized;
  }
}
