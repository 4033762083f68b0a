import { isInPlace } from "./keywords.js";
import type { Direction, Form, Schema } from "./schema.js";

/** Constraints of the surrounding schemas on the same value. */
interface Around {
  direction: Direction;
  removed: ReadonlySet<string>;
  kept: ReadonlySet<string>;
}

/** Facts about a schema with its subschemas. */
interface Scan {
  /** The directions in which a property in it is left out. */
  directions: Set<Direction>;
  references: Set<Schema>;
}

/** Names of properties that are left out of a message, and of those that are not. */
interface Names {
  out: ReadonlySet<string>;
  kept: ReadonlySet<string>;
}

/** One search for the names of a schema. */
interface Search {
  partial: Map<Schema, Names>;
  complete: Map<Schema, Names>;
  depth: number;
}

/** Deeper composition is not looked into: what is below then stays as it is. */
const MAX_DEPTH = 500;
const NONE: ReadonlySet<string> = new Set();
const NO_NAMES: Names = { out: NONE, kept: NONE };
const DIRECTIONS: readonly Direction[] = ["request", "response"];

/**
 * Makes the request form and the response form of schemas.
 *
 * A request is without the readOnly properties and a response without the writeOnly ones, wherever composition declares
 * them, and no `required` asks for them. A property that is both stays, and so does one that a discriminator names: it
 * becomes optional, because nothing else tells the branches of the union apart. `not` and `if` stay as they are: with
 * less in them they would refuse more. A form that does not differ is the schema itself.
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
  private readonly leftOut: Record<Direction, Map<Schema, ReadonlySet<string>>> = {
    request: new Map(),
    response: new Map(),
  };
  /** Names of the properties by which discriminators tell a schema from others. */
  private readonly discriminatorNames = new Map<Schema, Set<string>>();
  private readonly made = new Map<Schema, Map<string, Schema>>();

  /**
   * @param create makes the schema object of a form
   */
  constructor(
    components: Iterable<Schema>,
    private readonly create: (origin: Schema, form: Form) => Schema,
  ) {
    this.scan([...components]);
  }

  /** The form of a schema of the document for a direction. */
  formOf(schema: Schema, direction: Direction): Schema {
    if (!this.scanned.has(schema)) this.scan([schema]);
    return this.make(schema, { direction, removed: NONE, kept: NONE });
  }

  /** The form of a subschema as a part of a form; undefined when that form leaves it out. */
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
    if (keyword === "properties" && !form.kept.has(String(key)) && isLeftOut(child, form.direction))
      return undefined;
    return this.make(child, { direction: form.direction, removed: NONE, kept: NONE });
  }

  /** The form of the schema that a reference in a form names. */
  target(form: Form, target: Schema): Schema {
    const { direction, removed } = form;
    return this.requires(target, removed, direction)
      ? this.make(target, form)
      : this.formOf(target, direction);
  }

  private make(schema: Schema, around: Around): Schema {
    const { direction } = around;
    const removedAround = this.requires(schema, around.removed, direction) ? around.removed : NONE;
    if (removedAround.size === 0 && !this.differs(schema, direction)) return schema;
    const own = this.namesOut(schema, direction);
    const removed = new Set([...removedAround, ...own]);
    const kept = new Set([...around.kept, ...this.namesByDiscriminators(schema)]);
    const key = JSON.stringify([direction, [...removedAround].sort(), [...kept].sort()]);
    const forms = this.made.get(schema) ?? new Map<string, Schema>();
    this.made.set(schema, forms);
    const known = forms.get(key);
    if (known) return known;
    const made = this.create(schema, { direction, removed, kept, key });
    forms.set(key, made);
    return made;
  }

  /** Whether a schema, its subschemas or what they reference differ in a direction. */
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

  /** Finds out which of some schemas, and of all that they reference, differ. */
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
    const open = [root];
    for (let schema = open.pop(); schema; schema = open.pop()) {
      const { reference, discriminator } = schema;
      if (reference) scan.references.add(reference);
      for (const { keyword, schema: subschema } of schema.subschemas()) {
        if (keyword === "properties" && scan.directions.size < DIRECTIONS.length) {
          for (const direction of DIRECTIONS) {
            if (isLeftOut(subschema, direction)) scan.directions.add(direction);
          }
        }
        open.push(subschema);
      }
      for (const branch of discriminator?.mapping.values() ?? []) {
        scan.references.add(branch);
        const names = this.discriminatorNames.get(branch) ?? new Set();
        this.discriminatorNames.set(branch, names.add(discriminator?.propertyName ?? ""));
      }
    }
    return scan;
  }

  /** Names of the properties that the schemas of a value leave out in a direction. */
  private namesOut(schema: Schema, direction: Direction): ReadonlySet<string> {
    const known = this.leftOut[direction].get(schema);
    if (known) return known;
    const { out } = this.namesOf(
      schema,
      direction,
      { partial: new Map(), complete: new Map(), depth: 0 },
      false,
    );
    this.leftOut[direction].set(schema, out);
    return out;
  }

  /**
   * Names of the properties that the schemas of a value leave out in a direction, and of those that they have. A property
   * that one branch of a union leaves out and another one has is left out in that branch alone.
   *
   * @param isComplete whether schemas that leave nothing out are looked into as well
   */
  private namesOf(schema: Schema, direction: Direction, search: Search, isComplete: boolean): Names {
    if (search.depth > MAX_DEPTH || (!isComplete && !this.differs(schema, direction))) return NO_NAMES;
    const found = isComplete ? search.complete : search.partial;
    const known = found.get(schema);
    if (known) return known;
    // A schema that leads back to itself adds nothing to itself.
    found.set(schema, NO_NAMES);
    const inner = { ...search, depth: search.depth + 1 };
    const out = new Set<string>();
    const kept = new Set<string>();
    for (const [name, property] of schema.properties) (isLeftOut(property, direction) ? out : kept).add(name);
    const branches: Schema[] = [];
    const join = (names: Names): void => {
      for (const name of names.out) out.add(name);
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
    for (const name of out) kept.delete(name);
    const names = { out, kept };
    found.set(schema, names);
    return names;
  }

  /** The names that every branch leaves out which has them at all, and those that some branch keeps. */
  private namesOfUnion(
    branches: readonly Schema[],
    direction: Direction,
    search: Search,
    isComplete: boolean,
  ): Names {
    const each = (complete: boolean): Names[] =>
      branches.map((branch) => this.namesOf(branch, direction, search, complete));
    let names = each(isComplete);
    if (!isComplete && names.some(({ out }) => out.size > 0)) names = each(true);
    const kept = new Set(names.flatMap((branch) => [...branch.kept]));
    const out = new Set(names.flatMap((branch) => [...branch.out]).filter((name) => !kept.has(name)));
    return { out, kept };
  }

  /** Whether the form of a schema for a direction would still require one of these names. */
  private requires(schema: Schema, names: ReadonlySet<string>, direction: Direction): boolean {
    if (names.size === 0) return false;
    const own = this.namesOut(schema, direction);
    const asked = [...names].filter((name) => !own.has(name));
    if (asked.length === 0) return false;
    return sameValue(schema).some(({ required }) => asked.some((name) => required.includes(name)));
  }

  /** Names of the properties by which discriminators tell a schema, or those that it extends, from others. */
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

/** Whether messages in a direction leave out a property with this schema. */
function isLeftOut(property: Schema, direction: Direction): boolean {
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
