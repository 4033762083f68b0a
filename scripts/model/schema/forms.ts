import { groupBy } from "../../maps.js";
import { isInPlace } from "./keywords.js";
import type { Direction, Form, Schema } from "./schema.js";

/** The form of the enclosing schemas that apply to the same value as a schema. */
type OuterForm = Omit<Form, "key">;

/** Result of scanning a schema and its subschemas. */
interface ScanResult {
  /** The directions whose form removes a property. */
  directions: Set<Direction>;
  references: Set<Schema>;
}

/** Names of the properties that a form removes, and of those that it keeps. */
type PropertyNames = Pick<Form, "removed" | "kept">;

/** Maximum depth of composition. Properties below it are not removed. */
const MAX_DEPTH = 500;
const NONE: ReadonlySet<string> = new Set();
const DIRECTIONS: readonly Direction[] = ["request", "response"];

/**
 * Creates the request form and the response form of schemas.
 *
 * The request form removes readOnly properties, and the response form removes writeOnly properties, from all composed
 * schemas and from `required`. A property with both flags is kept. A discriminator property is kept as an optional
 * property, because it distinguishes the branches of the union. `not` and `if` keep all properties, because without some
 * of them they would match other values. If nothing is removed, the form is the schema itself.
 *
 * All maps are keyed by the schemas of the document, never by their forms.
 */
export class Forms {
  private readonly scanned = new Set<Schema>();
  private readonly schemasWithForm: Record<Direction, Set<Schema>> = {
    request: new Set(),
    response: new Set(),
  };
  private readonly removedNamesCache: Record<Direction, Map<Schema, ReadonlySet<string>>> = {
    request: new Map(),
    response: new Map(),
  };
  /** Names of the discriminator properties that select a schema. */
  private readonly discriminatorNames = new Map<Schema, Set<string>>();
  private readonly formCache = new Map<Schema, Map<string, Schema>>();

  /** @param create creates the schema object of a form */
  constructor(
    components: Iterable<Schema>,
    private readonly create: (origin: Schema, form: Form) => Schema,
  ) {
    this.scan([...components]);
  }

  /** Returns the form of a schema of the document for a direction. */
  getForm(schema: Schema, direction: Direction): Schema {
    return this.getOrCreateForm(schema, { direction, removed: NONE, kept: NONE });
  }

  /** Returns the form of a subschema inside a form; undefined if that form removes it. */
  getSubschemaForm(
    parent: Schema,
    form: Form,
    keyword: string,
    key: string | number | undefined,
    child: Schema,
  ): Schema | undefined {
    // Schemas below `not` and `if` only test a value, so they keep all properties.
    if (keyword === "not" || keyword === "if") return child;
    if (isInPlace(keyword)) return this.getOrCreateForm(child, form);
    if (keyword === "properties" && !form.kept.has(String(key)) && isRemoved(child, form.direction))
      return undefined;
    return this.getForm(child, form.direction);
  }

  /** Returns the form of the target of a reference in a form. */
  getTargetForm(form: Form, target: Schema): Schema {
    const { direction, removed } = form;
    return this.stillRequires(target, removed, direction)
      ? this.getOrCreateForm(target, form)
      : this.getForm(target, direction);
  }

  private getOrCreateForm(schema: Schema, outer: OuterForm): Schema {
    const { direction } = outer;
    const removedOutside = this.stillRequires(schema, outer.removed, direction) ? outer.removed : NONE;
    if (removedOutside.size === 0 && !this.differs(schema, direction)) return schema;
    const removedInside = this.getRemovedNames(schema, direction);
    const removed = new Set([...removedOutside, ...removedInside]);
    const kept = new Set([...outer.kept, ...this.collectDiscriminatorNames(schema)]);
    const key = JSON.stringify([direction, [...removedOutside].sort(), [...kept].sort()]);
    const forms = this.formCache.get(schema) ?? new Map<string, Schema>();
    this.formCache.set(schema, forms);
    const existing = forms.get(key);
    if (existing) return existing;
    const form = this.create(schema, { direction, removed, kept, key });
    forms.set(key, form);
    return form;
  }

  /** Whether the form differs from the schema, because of the schema itself, a subschema or a referenced schema. */
  private differs(schema: Schema, direction: Direction): boolean {
    if (!this.scanned.has(schema)) this.scan([schema]);
    return this.schemasWithForm[direction].has(schema);
  }

  /** Finds the schemas, including referenced ones, whose form differs. */
  private scan(schemas: Schema[]): void {
    const queue = new Set(schemas.filter((schema) => !this.scanned.has(schema)));
    const links: { from: Schema; to: Schema }[] = [];
    const found: Record<Direction, Set<Schema>> = { request: new Set(), response: new Set() };
    // The sets also iterate over the schemas that the loops add.
    for (const schema of queue) {
      this.scanned.add(schema);
      const { directions, references } = this.scanSchema(schema);
      for (const target of references) {
        links.push({ from: schema, to: target });
        if (!this.scanned.has(target)) queue.add(target);
      }
      for (const direction of DIRECTIONS) {
        const isKnown = [...references].some((target) => this.schemasWithForm[direction].has(target));
        if (directions.has(direction) || isKnown) found[direction].add(schema);
      }
    }
    const linksByTarget = groupBy(links, ({ to }) => to);
    for (const direction of DIRECTIONS) {
      for (const schema of found[direction]) {
        this.schemasWithForm[direction].add(schema);
        for (const { from } of linksByTarget.get(schema) ?? []) found[direction].add(from);
      }
    }
  }

  private scanSchema(root: Schema): ScanResult {
    const scan: ScanResult = { directions: new Set(), references: new Set() };
    const pending = [root];
    for (let schema = pending.pop(); schema; schema = pending.pop()) {
      const { reference, discriminator } = schema;
      if (reference) scan.references.add(reference);
      for (const { keyword, schema: subschema } of schema.subschemas()) {
        if (keyword === "properties") {
          for (const direction of DIRECTIONS)
            if (isRemoved(subschema, direction)) scan.directions.add(direction);
        }
        pending.push(subschema);
      }
      for (const branch of discriminator?.mapping.values() ?? []) {
        scan.references.add(branch);
        const names = this.discriminatorNames.get(branch) ?? new Set();
        this.discriminatorNames.set(branch, names.add(discriminator?.propertyName ?? ""));
      }
    }
    return scan;
  }

  /** Returns the names of the properties that a form removes from a schema and from its composed schemas. */
  private getRemovedNames(schema: Schema, direction: Direction): ReadonlySet<string> {
    const known = this.removedNamesCache[direction].get(schema);
    if (known) return known;
    const removed = this.differs(schema, direction) ? collectNames(schema, direction).removed : NONE;
    this.removedNamesCache[direction].set(schema, removed);
    return removed;
  }

  /** Whether a schema requires a property that an enclosing schema removes, and that its own form does not remove. */
  private stillRequires(schema: Schema, names: ReadonlySet<string>, direction: Direction): boolean {
    if (names.size === 0) return false;
    const removedInside = this.getRemovedNames(schema, direction);
    const stillPresent = [...names].filter((name) => !removedInside.has(name));
    if (stillPresent.length === 0) return false;
    return listInPlaceSchemas(schema).some(({ required }) =>
      stillPresent.some((name) => required.includes(name)),
    );
  }

  /** Returns the discriminator properties that select a schema or a schema that it extends. */
  private collectDiscriminatorNames(schema: Schema): Set<string> {
    const names = new Set<string>();
    const seen = new Set([schema]);
    for (const each of seen) {
      for (const name of this.discriminatorNames.get(each) ?? []) names.add(name);
      const declaredName = each.discriminator?.propertyName;
      if (declaredName !== undefined) names.add(declaredName);
      for (const member of each.subschemaList("allOf")) seen.add(member.reference ?? member);
    }
    return names;
  }
}

/**
 * Collects the names of the properties that the form of a schema removes and keeps, with its composed schemas. A conjunct
 * that removes a name takes precedence, whereas a union removes a name only if no branch keeps it.
 *
 * @param cache the results of this traversal
 */
function collectNames(
  schema: Schema,
  direction: Direction,
  cache = new Map<Schema, PropertyNames>(),
  depth = 0,
): PropertyNames {
  if (depth > MAX_DEPTH) return { removed: NONE, kept: NONE };
  const known = cache.get(schema);
  if (known) return known;
  const removed = new Set<string>();
  const kept = new Set<string>();
  for (const [name, property] of schema.properties)
    (isRemoved(property, direction) ? removed : kept).add(name);
  const names = { removed, kept };
  // A schema that refers to itself gets the names that are known so far.
  cache.set(schema, names);
  const collect = (part: Schema): PropertyNames => collectNames(part, direction, cache, depth + 1);
  const conjuncts: PropertyNames[] = [];
  const branches: PropertyNames[] = [];
  for (const { keyword, schema: part } of schema.subschemas()) {
    if (!isInPlace(keyword) || keyword === "not") continue;
    (keyword === "oneOf" || keyword === "anyOf" ? branches : conjuncts).push(collect(part));
  }
  if (schema.reference) conjuncts.push(collect(schema.reference));
  const keptByBranch = new Set(branches.flatMap((branch) => [...branch.kept]));
  for (const name of branches.flatMap((branch) => [...branch.removed]))
    if (!keptByBranch.has(name)) removed.add(name);
  for (const conjunct of conjuncts) for (const name of conjunct.removed) removed.add(name);
  for (const part of [...branches, ...conjuncts]) for (const name of part.kept) kept.add(name);
  for (const name of removed) kept.delete(name);
  return names;
}

/** Whether the form for a direction removes a property with this schema. */
function isRemoved(property: Schema, direction: Direction): boolean {
  const readOnly = hasFlag(property, "readOnly");
  const writeOnly = hasFlag(property, "writeOnly");
  if (readOnly === writeOnly) return false;
  return direction === "request" ? readOnly : writeOnly;
}

/** Whether a schema has a flag, directly or through `$ref` and `allOf`. */
function hasFlag(schema: Schema, flag: "readOnly" | "writeOnly"): boolean {
  const isSimple = schema.keyword("$ref") === undefined && schema.keyword("allOf") === undefined;
  if (isSimple) return schema.keyword(flag) === true;
  const seen = new Set([schema]);
  for (const each of seen) {
    if (each.keyword(flag) === true) return true;
    for (const member of each.subschemaList("allOf")) seen.add(member);
    if (each.reference) seen.add(each.reference);
  }
  return false;
}

/** Lists a schema and all schemas that apply to the same value, except those below `not`. */
function listInPlaceSchemas(schema: Schema): Schema[] {
  const found = new Set([schema]);
  for (const each of found) {
    for (const { keyword, schema: part } of each.subschemas()) {
      if (isInPlace(keyword) && keyword !== "not") found.add(part);
    }
    if (each.reference) found.add(each.reference);
  }
  return [...found];
}
