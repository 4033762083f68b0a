import { getOrCreate, getRequired } from "../../maps.js";
import { createReachabilityTest, invertEdges, walkGraph } from "../../walk-graph.js";
import { listConjuncts, listInPlaceSchemas, listSubschemas } from "./composition.js";
import { isInPlace } from "../../json-schema/keywords.js";
import { type Direction, type SchemaResolver, type Variant, Schema } from "./schema.js";
import { SchemaError } from "./schema-error.js";

/** The variant of the enclosing schemas that apply to the same value as a schema. */
type OuterVariant = Omit<Variant, "key">;

/** Result of scanning a schema and its subschemas. */
interface ScanResult {
  /** The directions whose variant removes a property. */
  directions: Set<Direction>;
  references: Set<Schema>;
}

const NONE: ReadonlySet<string> = new Set();

/** Maximum number of variants of a schema, which each readOnly or writeOnly property can double. Real schemas have one or two. */
const MAX_VARIANTS = 64;

/**
 * Creates the request variant of schemas, without readOnly properties, and the response variant, without writeOnly properties; the schema
 * itself if nothing is removed. A property with both flags is kept. Discriminator properties become optional, because they distinguish
 * branches. Schemas below `not` and `if` stay, because their properties decide which values match.
 * All maps are keyed by the schemas of the document, never by their variants.
 */
export class Variants {
  private readonly scanResults = new Map<Schema, ScanResult>();
  /** Tests whether the variant of a schema differs, because of the schema itself, a subschema or a referenced schema. */
  private readonly differs: Record<Direction, (schema: Schema) => boolean> = {
    request: this.createDifferenceTest("request"),
    response: this.createDifferenceTest("response"),
  };
  private readonly removedNamesCache: Record<Direction, Map<Schema, Set<string>>> = {
    request: new Map(),
    response: new Map(),
  };
  /** Names of the discriminator properties that select a schema. */
  private readonly discriminatorNames = new Map<Schema, Set<string>>();
  /** Whether a schema or one that it extends has a discriminator or is selected by one. Undefined if a scan found more. */
  private isDiscriminated: ((schema: Schema) => boolean) | undefined;
  private readonly variantCache = new Map<Schema, Map<string, Schema>>();
  /** Tests by property name: whether a schema, or one that applies to the same value, requires the property. */
  private readonly requirementTests = new Map<string, (schema: Schema) => boolean>();

  constructor(private readonly resolver: SchemaResolver) {
    // Scans all components, because a discriminator in one selects others.
    for (const schema of resolver.components().values()) this.differs.request(schema);
  }

  getVariant(schema: Schema, direction: Direction): Schema {
    return this.getOrCreateVariant(schema, { direction, removed: NONE, discriminatorProperties: NONE });
  }

  /** Returns the variant of a subschema inside a variant; undefined if that variant removes it. */
  getSubschemaVariant(
    variant: Variant,
    keyword: string,
    key: string | number | undefined,
    child: Schema,
  ): Schema | undefined {
    // Schemas below `not` and `if` only test a value, so they keep all properties.
    if (keyword === "not" || keyword === "if") return child;
    if (isInPlace(keyword)) return this.getOrCreateVariant(child, variant);
    if (
      keyword === "properties" &&
      !variant.discriminatorProperties.has(String(key)) &&
      getRemovingDirection(child) === variant.direction
    )
      return undefined;
    return this.getVariant(child, variant.direction);
  }

  /** Returns the variant of the target of a reference in a variant. */
  getTargetVariant(variant: Variant, target: Schema): Schema {
    const { direction, removed } = variant;
    return this.stillRequires(target, removed, direction)
      ? this.getOrCreateVariant(target, variant)
      : this.getVariant(target, direction);
  }

  private getOrCreateVariant(schema: Schema, outer: OuterVariant): Schema {
    const { direction } = outer;
    const removedOutside = this.stillRequires(schema, outer.removed, direction) ? outer.removed : NONE;
    if (removedOutside.size === 0 && !this.differs[direction](schema)) return schema;
    const removedInside = this.getRemovedNames(schema, direction);
    const removed = new Set([...removedOutside, ...removedInside]);
    const discriminatorProperties = new Set([
      ...outer.discriminatorProperties,
      ...this.collectDiscriminatorNames(schema),
    ]);
    const key = JSON.stringify([direction, [...removedOutside].sort(), [...discriminatorProperties].sort()]);
    const variants = getOrCreate(this.variantCache, schema, () => new Map<string, Schema>());
    if (variants.size >= MAX_VARIANTS && !variants.has(key))
      throw new SchemaError(
        schema,
        `more than ${MAX_VARIANTS} combinations of readOnly, writeOnly and discriminator properties of other schemas apply to it`,
      );
    const { value, pointer, resource } = schema;
    const variant: Variant = { direction, removed, discriminatorProperties, key };
    return getOrCreate(
      variants,
      key,
      () => new Schema(this.resolver, value, pointer, resource, schema, variant),
    );
  }

  private createDifferenceTest(direction: Direction): (schema: Schema) => boolean {
    return createReachabilityTest(
      (schema: Schema) => this.scan(schema).references,
      (schema) => this.scan(schema).directions.has(direction),
    );
  }

  private scan(root: Schema): ScanResult {
    return getOrCreate(this.scanResults, root, () => this.scanSchema(root));
  }

  private scanSchema(root: Schema): ScanResult {
    const scan: ScanResult = { directions: new Set(), references: new Set() };
    for (const schema of walkGraph([root], listSubschemas)) {
      const { reference, discriminator } = schema;
      if (reference) scan.references.add(reference);
      for (const property of schema.properties.values()) {
        const direction = getRemovingDirection(property);
        if (direction) scan.directions.add(direction);
      }
      if (!discriminator) continue;
      for (const branch of discriminator.mapping.values()) {
        scan.references.add(branch);
        getOrCreate(this.discriminatorNames, branch, () => new Set<string>()).add(discriminator.propertyName);
        this.isDiscriminated = undefined;
      }
    }
    return scan;
  }

  private getRemovedNames(schema: Schema, direction: Direction): ReadonlySet<string> {
    if (!this.differs[direction](schema)) return NONE;
    const removed = this.removedNamesCache[direction];
    if (!removed.has(schema)) findRemovedNames(schema, direction, removed);
    return getRequired(removed, schema);
  }

  /** Whether the variant of a schema would still require one of the names, which an enclosing schema removes. */
  private stillRequires(schema: Schema, names: ReadonlySet<string>, direction: Direction): boolean {
    if (names.size === 0) return false;
    const removedInside = this.getRemovedNames(schema, direction);
    return [...names].some((name) => !removedInside.has(name) && this.requires(schema, name));
  }

  private requires(schema: Schema, name: string): boolean {
    const test = getOrCreate(this.requirementTests, name, () =>
      createReachabilityTest(listInPlaceSchemas, ({ required }: Schema) => required.includes(name)),
    );
    return test(schema);
  }

  /** Returns the discriminator properties that select a schema or a schema that it extends. */
  private collectDiscriminatorNames(schema: Schema): ReadonlySet<string> {
    this.isDiscriminated ??= createReachabilityTest(
      listExtended,
      (each) => each.discriminator !== undefined || this.discriminatorNames.has(each),
    );
    if (!this.isDiscriminated(schema)) return NONE;
    const names = new Set<string>();
    for (const each of walkGraph([schema], listExtended)) {
      for (const name of this.discriminatorNames.get(each) ?? []) names.add(name);
      if (each.discriminator) names.add(each.discriminator.propertyName);
    }
    return names;
  }
}

/** Lists the members of `allOf`, or the targets of those with a `$ref`. */
function listExtended(schema: Schema): Schema[] {
  return schema.subschemaList("allOf").map((member) => member.reference ?? member);
}

/**
 * Adds the names that the variant of each schema removes, as a fixed point over cycles. `allOf` and `$ref` add names; a union adds a name
 * only if all its branches lack or remove it.
 */
function findRemovedNames(root: Schema, direction: Direction, removed: Map<Schema, Set<string>>): void {
  const schemas = [...walkGraph([root], listInPlaceSchemas)]
    .filter((schema) => !removed.has(schema))
    .reverse();
  for (const schema of schemas) {
    const properties = [...schema.properties].filter(
      ([, property]) => getRemovingDirection(property) === direction,
    );
    removed.set(schema, new Set(properties.map(([name]) => name)));
  }
  const listUsers = invertEdges(schemas, listInPlaceSchemas);
  const propertyNames = new Map<Schema, ReadonlySet<string>>();
  const pending = new Set(schemas);
  // The set also iterates over the schemas that the loop adds again.
  for (const schema of pending) {
    pending.delete(schema);
    const names = getRequired(removed, schema);
    const { size } = names;
    const branches = new Set(schema.unions.flat());
    // A branch that refers back to its union keeps nothing because of that.
    const remainingNames = new Set<string>();
    for (const branch of branches) {
      const removedInBranch = getRequired(removed, branch);
      for (const name of getOrCreate(propertyNames, branch, () => listPropertyNames(branch, schema)))
        if (!removedInBranch.has(name)) remainingNames.add(name);
    }
    for (const part of listInPlaceSchemas(schema)) {
      const isBranch = branches.has(part);
      for (const name of getRequired(removed, part))
        if (!isBranch || !remainingNames.has(name)) names.add(name);
    }
    if (names.size > size) for (const user of listUsers(schema)) pending.add(user);
  }
}

/** Lists the properties of a union's branch and of its composed schemas, except the union. */
function listPropertyNames(branch: Schema, union: Schema): ReadonlySet<string> {
  const listParts = (schema: Schema): Schema[] => listInPlaceSchemas(schema).filter((part) => part !== union);
  const parts = [...walkGraph([branch], listParts)];
  return new Set(parts.flatMap(({ properties }) => [...properties.keys()]));
}

/** Returns the direction whose variant removes a property with this schema; undefined if both variants keep it. */
function getRemovingDirection(property: Schema): Direction | undefined {
  const parts = [...walkGraph([property], listConjuncts)];
  const readOnly = parts.some((each) => each.keyword("readOnly") === true);
  const writeOnly = parts.some((each) => each.keyword("writeOnly") === true);
  if (readOnly === writeOnly) return undefined;
  return readOnly ? "request" : "response";
}
