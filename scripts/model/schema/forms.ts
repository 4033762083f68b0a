import { isInPlace } from "./keywords.js";
import type { Direction, Form, Schema } from "./schema.js";

/** The form of the enclosing schemas for the same value. */
interface OuterForm {
  direction: Direction;
  removed: ReadonlySet<string>;
  kept: ReadonlySet<string>;
}

/** Facts about a schema and its subschemas. */
interface Scan {
  /** The directions whose form removes a property. */
  directions: Set<Direction>;
  references: Set<Schema>;
}

/** Names of properties that a form removes, and that it keeps. */
interface Names {
  removed: ReadonlySet<string>;
  kept: ReadonlySet<string>;
}

/** Results of one traversal, and its depth. */
interface NameCache {
  partial: Map<Schema, Names>;
  complete: Map<Schema, Names>;
  depth: number;
}

/** Maximum depth of composition. Properties below it are not removed. */
const MAX_DEPTH = 500;
const NONE: ReadonlySet<string> = new Set();
const NO_NAMES: Names = { removed: NONE, kept: NONE };
const DIRECTIONS: readonly Direction[] = ["request", "response"];

/**
 * Creates the request form and the response form of schemas.
 *
 * The request form removes readOnly properties, and the response form writeOnly ones, from all composed schemas and from
 * `required`. A property with both flags is kept. So is a discriminator property, which becomes optional, because it is
 * needed to distinguish the branches of the union. `not` and `if` are unchanged: without some properties, they would
 * reject more values. A form that does not differ is the schema itself.
 *
 * All maps are keyed by the schemas of the document, never by their forms.
 */
export class Forms {
  private readonly scanned = new Set<Schema>();
  private readonly affected: Record<Direction, Set<Schema>> = { request: new Set(), response: new Set() };
  private readonly differing: Record<Direction, Map<Schema, boolean>> = {
    request: new Map(),
    response: new Map(),
  };
  private readonly removedBySchema: Record<Direction, Map<Schema, ReadonlySet<string>>> = {
    request: new Map(),
    response: new Map(),
  };
  /** Names of the discriminator properties that select a schema. */
  private readonly discriminatorNames = new Map<Schema, Set<string>>();
  private readonly cached = new Map<Schema, Map<string, Schema>>();

  /** @param create creates the schema object of a form */
  constructor(
    components: Iterable<Schema>,
    private readonly create: (origin: Schema, form: Form) => Schema,
  ) {
    this.scan([...components]);
  }

  /** Returns the form of a schema of the document for a direction. */
  formOf(schema: Schema, direction: Direction): Schema {
    if (!this.scanned.has(schema)) this.scan([schema]);
    return this.make(schema, { direction, removed: NONE, kept: NONE });
  }

  /** Returns the form of a subschema inside a form; undefined if that form removes it. */
  subschema(
    parent: Schema,
    form: Form,
    keyword: string,
    key: string | number | undefined,
    child: Schema,
  ): Schema | undefined {
    // Schemas below `not` and `if` only test a value, so they keep all properties.
    if (keyword === "not" || keyword === "if") return child;
    if (isInPlace(keyword)) return this.make(child, form);
    if (keyword === "properties" && !form.kept.has(String(key)) && isRemoved(child, form.direction))
      return undefined;
    return this.make(child, { direction: form.direction, removed: NONE, kept: NONE });
  }

  /** Returns the form of the target of a reference in a form. */
  target(form: Form, target: Schema): Schema {
    const { direction, removed } = form;
    return this.requires(target, removed, direction)
      ? this.make(target, form)
      : this.formOf(target, direction);
  }

  private make(schema: Schema, outer: OuterForm): Schema {
    const { direction } = outer;
    const removedOutside = this.requires(schema, outer.removed, direction) ? outer.removed : NONE;
    if (removedOutside.size === 0 && !this.differs(schema, direction)) return schema;
    const own = this.removedNames(schema, direction);
    const removed = new Set([...removedOutside, ...own]);
    const kept = new Set([...outer.kept, ...this.namesByDiscriminators(schema)]);
    const key = JSON.stringify([direction, [...removedOutside].sort(), [...kept].sort()]);
    const forms = this.cached.get(schema) ?? new Map<string, Schema>();
    this.cached.set(schema, forms);
    const known = forms.get(key);
    if (known) return known;
    const form = this.create(schema, { direction, removed, kept, key });
    forms.set(key, form);
    return form;
  }

  /** Whether the form of a schema, of a subschema or of a referenced schema differs from the schema. */
  private differs(schema: Schema, direction: Direction): boolean {
    if (this.scanned.has(schema)) return this.affected[direction].has(schema);
    const known = this.differing[direction].get(schema);
    if (known !== undefined) return known;
    const { directions, references } = this.scanOne(schema);
    const differs =
      directions.has(direction) || [...references].some((target) => this.differs(target, direction));
    this.differing[direction].set(schema, differs);
    return differs;
  }

  /** Determines which schemas, including referenced ones, have a form that differs. */
  private scan(schemas: Schema[]): void {
    const queue = schemas.filter((schema) => !this.scanned.has(schema));
    for (const schema of queue) this.scanned.add(schema);
    const referencing = new Map<Schema, Schema[]>();
    const affected: Record<Direction, Schema[]> = { request: [], response: [] };
    for (const schema of queue) {
      const { directions, references } = this.scanOne(schema);
      for (const target of references) {
        const list = referencing.get(target);
        if (list) list.push(schema);
        else referencing.set(target, [schema]);
        if (this.scanned.has(target)) continue;
        this.scanned.add(target);
        queue.push(target);
      }
      for (const direction of DIRECTIONS) {
        const isKnown = [...references].some((target) => this.affected[direction].has(target));
        if (directions.has(direction) || isKnown) affected[direction].push(schema);
      }
    }
    for (const direction of DIRECTIONS) {
      for (const schema of affected[direction]) {
        if (this.affected[direction].has(schema)) continue;
        this.affected[direction].add(schema);
        affected[direction].push(...(referencing.get(schema) ?? []));
      }
    }
  }

  private scanOne(root: Schema): Scan {
    const scan: Scan = { directions: new Set(), references: new Set() };
    const pending = [root];
    for (let schema = pending.pop(); schema; schema = pending.pop()) {
      const { reference, discriminator } = schema;
      if (reference) scan.references.add(reference);
      for (const { keyword, schema: subschema } of schema.subschemas()) {
        if (keyword === "properties" && scan.directions.size < DIRECTIONS.length) {
          for (const direction of DIRECTIONS) {
            if (isRemoved(subschema, direction)) scan.directions.add(direction);
          }
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

  /** Names of the properties that a form removes from a value, in the schema and everything composed into it. */
  private removedNames(schema: Schema, direction: Direction): ReadonlySet<string> {
    const known = this.removedBySchema[direction].get(schema);
    if (known) return known;
    const { removed } = this.namesOf(
      schema,
      direction,
      { partial: new Map(), complete: new Map(), depth: 0 },
      false,
    );
    this.removedBySchema[direction].set(schema, removed);
    return removed;
  }

  /**
   * Names of the properties that a form removes and keeps. A property that only some branches of a union remove is
   * removed in those branches alone.
   *
   * @param isComplete whether to visit schemas that remove nothing, too
   */
  private namesOf(schema: Schema, direction: Direction, cache: NameCache, isComplete: boolean): Names {
    if (cache.depth > MAX_DEPTH || (!isComplete && !this.differs(schema, direction))) return NO_NAMES;
    const found = isComplete ? cache.complete : cache.partial;
    const known = found.get(schema);
    if (known) return known;
    // Ends the recursion of a schema that refers to itself.
    found.set(schema, NO_NAMES);
    const inner = { ...cache, depth: cache.depth + 1 };
    const removed = new Set<string>();
    const kept = new Set<string>();
    for (const [name, property] of schema.properties)
      (isRemoved(property, direction) ? removed : kept).add(name);
    const branches: Schema[] = [];
    const join = (names: Names): void => {
      for (const name of names.removed) removed.add(name);
      for (const name of names.kept) kept.add(name);
    };
    for (const { keyword, schema: part } of schema.subschemas()) {
      if (!isInPlace(keyword) || keyword === "not") continue;
      if (keyword === "oneOf" || keyword === "anyOf") branches.push(part);
      else join(this.namesOf(part, direction, inner, isComplete));
    }
    join(this.namesOfUnion(branches, direction, inner, isComplete));
    const { reference } = schema;
    if (reference) join(this.namesOf(reference, direction, inner, isComplete));
    for (const name of removed) kept.delete(name);
    const names = { removed, kept };
    found.set(schema, names);
    return names;
  }

  /** The names of a union. A name is removed from the whole union only if no branch keeps it. */
  private namesOfUnion(
    branches: readonly Schema[],
    direction: Direction,
    cache: NameCache,
    isComplete: boolean,
  ): Names {
    const each = (complete: boolean): Names[] =>
      branches.map((branch) => this.namesOf(branch, direction, cache, complete));
    let names = each(isComplete);
    if (!isComplete && names.some(({ removed }) => removed.size > 0)) names = each(true);
    const kept = new Set(names.flatMap((branch) => [...branch.kept]));
    const removed = new Set(names.flatMap((branch) => [...branch.removed]).filter((name) => !kept.has(name)));
    return { removed, kept };
  }

  /** Whether the form of a schema for a direction would still require one of these names. */
  private requires(schema: Schema, names: ReadonlySet<string>, direction: Direction): boolean {
    if (names.size === 0) return false;
    const own = this.removedNames(schema, direction);
    const stillPresent = [...names].filter((name) => !own.has(name));
    if (stillPresent.length === 0) return false;
    return sameValue(schema).some(({ required }) => stillPresent.some((name) => required.includes(name)));
  }

  /** Names of the discriminator properties that select a schema or one that it extends. */
  private namesByDiscriminators(schema: Schema): Set<string> {
    const names = new Set<string>();
    const seen = new Set([schema]);
    for (const each of seen) {
      for (const name of this.discriminatorNames.get(each) ?? []) names.add(name);
      const own = each.discriminator?.propertyName;
      if (own !== undefined) names.add(own);
      for (const member of each.list("allOf")) seen.add(member.reference ?? member);
    }
    return names;
  }
}

/** Whether the form for a direction removes a property with this schema. */
function isRemoved(property: Schema, direction: Direction): boolean {
  const readOnly = isMarked(property, "readOnly");
  const writeOnly = isMarked(property, "writeOnly");
  if (readOnly === writeOnly) return false;
  return direction === "request" ? readOnly : writeOnly;
}

/** Whether a schema, a member of its `allOf` or what it references has a flag. */
function isMarked(schema: Schema, flag: "readOnly" | "writeOnly"): boolean {
  const isSimple = schema.keyword("$ref") === undefined && schema.keyword("allOf") === undefined;
  if (isSimple) return schema.keyword(flag) === true;
  const seen = new Set([schema]);
  for (const each of seen) {
    if (each.keyword(flag) === true) return true;
    for (const member of each.list("allOf")) seen.add(member);
    if (each.reference) seen.add(each.reference);
  }
  return false;
}

/** A schema and all others that apply to the same value. */
function sameValue(schema: Schema): Schema[] {
  const found = new Set([schema]);
  for (const each of found) {
    for (const { keyword, schema: part } of each.subschemas()) {
      if (isInPlace(keyword) && keyword !== "not") found.add(part);
    }
    if (each.reference) found.add(each.reference);
  }
  return [...found];
}
