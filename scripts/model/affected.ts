import { type Children, discriminatorMapping } from "./discriminators.js";
import type { JsonObject, JsonValue } from "./model.js";
import { type Node, child, entries, isObject, resolve } from "./node.js";
import { IN_PLACE, visitSubschemas } from "./subschemas.js";

/** Which way a message goes: to the owner of the data, or from it. */
export type Direction = "request" | "response";

/** What one schema, with all that stands in it, says and names. */
interface Scan {
  /** Whether a property in it is readOnly or writeOnly. */
  marked: boolean;
  /** Pointers of the schemas that it references. */
  references: Set<string>;
  /** Whether there is no discriminator in it, and nothing beside a reference. */
  plain: boolean;
}

const NONE: ReadonlySet<string> = new Set();
/** Properties that are left out, and those that are not. */
interface Names {
  out: ReadonlySet<string>;
  kept: ReadonlySet<string>;
}
const NO_NAMES: Names = { out: NONE, kept: NONE };

/** Knows what `readOnly` and `writeOnly` of a document make a difference for. */
export class Affected {
  private readonly scanned = new Set<string>();
  private readonly affected = new Set<string>();
  private readonly plain = new Set<string>();
  private readonly targets = new Map<string, Node | undefined>();
  /** Names of the properties by which a union tells a schema, by the pointer of the schema. */
  private readonly tellingNames = new Map<string, Set<string>>();

  constructor(
    private readonly document: JsonObject,
    private readonly children: Children,
  ) {
    const components = child({ value: document, pointer: "" }, "components");
    this.scan(entries(components && child(components, "schemas")).map(([, schema]) => schema));
  }

  /** Whether a schema that references name differs between request and response, itself or through its references. */
  has(target: Node): boolean {
    if (!this.scanned.has(target.pointer)) this.scan([target]);
    return this.affected.has(target.pointer);
  }

  /** Whether a schema is not affected, has no discriminator, and nothing stands beside a reference in it. */
  isPlain(target: Node): boolean {
    return !this.has(target) && this.plain.has(target.pointer);
  }

  /** The schema that a reference names, one step. */
  resolve(ref: string): Node | undefined {
    let target = this.targets.get(ref);
    if (target === undefined && !this.targets.has(ref)) {
      target = resolve(this.document, ref);
      this.targets.set(ref, target);
    }
    return target;
  }

  /** Whether a property with this schema is left out of messages in a direction. */
  isLeftOut(property: JsonValue, direction: Direction): boolean {
    const readOnly = this.says(property, "readOnly");
    const writeOnly = this.says(property, "writeOnly");
    if (readOnly === writeOnly) return false;
    return direction === "request" ? readOnly : writeOnly;
  }

  /**
   * Names of the properties that are left out in a direction, of all schemas that judge the same value. What a branch of
   * a union leaves out and another one has is left out in that branch alone.
   */
  namesLeftOut(schema: JsonValue, direction: Direction): ReadonlySet<string> {
    return this.namesOf(schema, direction, new Map(), false).out;
  }

  /**
   * Names of the properties that the schemas of a value leave out in a direction, and of those that they have.
   *
   * @param found what references were found to say, by pointer, so that each is followed once: none yet while they are
   *   followed
   * @param all whether references to what leaves out nothing are followed as well
   */
  private namesOf(schema: JsonValue, direction: Direction, found: Map<string, Names>, all: boolean): Names {
    if (!isObject(schema)) return NO_NAMES;
    const out = new Set<string>();
    const kept = new Set<string>();
    const { properties } = schema;
    for (const name of isObject(properties) ? Object.keys(properties) : []) {
      const left = isObject(properties) && this.isLeftOut(properties[name] ?? null, direction);
      (left ? out : kept).add(name);
    }
    const branches: JsonValue[] = [];
    const join = (names: Names): void => {
      for (const name of names.out) out.add(name);
      for (const name of names.kept) kept.add(name);
    };
    visitSubschemas(schema, (member, keyword) => {
      if (!IN_PLACE.has(keyword) || keyword === "not") return;
      if (keyword === "oneOf" || keyword === "anyOf") branches.push(member);
      else join(this.namesOf(member, direction, found, all));
    });
    join(this.namesOfUnion(branches, direction, found, all));
    const target = this.target(schema);
    if (target && (all || this.has(target))) join(this.namesOfTarget(target, direction, found, all));
    for (const name of out) kept.delete(name);
    return { out, kept };
  }

  private namesOfTarget(
    { pointer, value }: Node,
    direction: Direction,
    found: Map<string, Names>,
    all: boolean,
  ): Names {
    const key = `${all ? "all" : "affected"} ${pointer}`;
    const known = found.get(key);
    if (known) return known;
    found.set(key, NO_NAMES);
    const names = this.namesOf(value, direction, found, all);
    found.set(key, names);
    return names;
  }

  /** What every branch leaves out that names it at all, and what some branch has. */
  private namesOfUnion(
    branches: readonly JsonValue[],
    direction: Direction,
    found: Map<string, Names>,
    all: boolean,
  ): Names {
    const each = (follow: boolean): Names[] =>
      branches.map((branch) => this.namesOf(branch, direction, found, follow));
    let names = each(all);
    if (!all && names.some(({ out }) => out.size > 0)) names = each(true);
    const kept = new Set(names.flatMap((branch) => [...branch.kept]));
    const out = new Set(names.flatMap((branch) => [...branch.out]).filter((name) => !kept.has(name)));
    return { out, kept };
  }

  /** Whether the form of a schema for a direction requires one of these names. */
  requires(target: Node, names: ReadonlySet<string>, direction: Direction): boolean {
    if (names.size === 0) return false;
    const own = this.namesLeftOut(target.value, direction);
    let found = false;
    this.visitSameValue(target.value, new Set(), ({ required }) => {
      if (!Array.isArray(required)) return;
      found ||= required.some((name) => typeof name === "string" && names.has(name) && !own.has(name));
    });
    return found;
  }

  /** Names of the properties by which unions, or those that extend it, tell a schema that references name. */
  namesTelling(target: Node): Set<string> {
    const names = new Set<string>();
    this.collectNamesTelling(target, names, new Set());
    return names;
  }

  /** Names of the properties by which the values of a schema are told apart: its own, and those of what it extends. */
  namesToldBy(schema: JsonObject): Set<string> {
    const names = new Set<string>();
    this.collectNamesToldBy(schema, names, new Set());
    return names;
  }

  private collectNamesTelling(target: Node, names: Set<string>, seen: Set<string>): void {
    if (seen.has(target.pointer) || !isObject(target.value)) return;
    seen.add(target.pointer);
    for (const name of this.tellingNames.get(target.pointer) ?? []) names.add(name);
    this.collectNamesToldBy(target.value, names, seen);
  }

  private collectNamesToldBy(schema: JsonObject, names: Set<string>, seen: Set<string>): void {
    const name = isObject(schema.discriminator) ? schema.discriminator.propertyName : undefined;
    if (typeof name === "string") names.add(name);
    for (const member of Array.isArray(schema.allOf) ? schema.allOf : []) {
      const target = isObject(member) ? this.target(member) : undefined;
      if (target) this.collectNamesTelling(target, names, seen);
      else if (isObject(member)) this.collectNamesToldBy(member, names, seen);
    }
  }

  private says(schema: JsonValue, keyword: "readOnly" | "writeOnly", seen?: Set<string>): boolean {
    if (!isObject(schema)) return false;
    if (schema[keyword] === true) return true;
    if (Array.isArray(schema.allOf)) {
      for (const member of schema.allOf) if (this.says(member, keyword, seen)) return true;
    }
    const target = this.target(schema);
    if (!target || seen?.has(target.pointer)) return false;
    return this.says(target.value, keyword, (seen ?? new Set()).add(target.pointer));
  }

  /**
   * Visits a schema and all others that judge the same value.
   *
   * @param followed pointers of the references that were followed
   */
  private visitSameValue(
    schema: JsonValue,
    followed: Set<string>,
    visit: (schema: JsonObject) => void,
  ): void {
    if (!isObject(schema)) return;
    visit(schema);
    visitSubschemas(schema, (member, keyword) => {
      if (IN_PLACE.has(keyword) && keyword !== "not") this.visitSameValue(member, followed, visit);
    });
    const target = this.target(schema);
    if (!target || followed.has(target.pointer)) return;
    followed.add(target.pointer);
    this.visitSameValue(target.value, followed, visit);
  }

  private target(schema: JsonObject): Node | undefined {
    return typeof schema.$ref === "string" ? this.resolve(schema.$ref) : undefined;
  }

  /** Looks at schemas and at all that they reference, and finds out which of them are affected. */
  private scan(nodes: Node[]): void {
    const queue = nodes.filter(({ pointer }) => !this.scanned.has(pointer));
    for (const { pointer } of queue) this.scanned.add(pointer);
    const referencing = new Map<string, string[]>();
    const affected: string[] = [];
    for (const node of queue) {
      const { marked, references } = this.scanOne(node);
      let already = marked;
      for (const pointer of references) {
        already ||= this.affected.has(pointer);
        referencing.set(pointer, [...(referencing.get(pointer) ?? []), node.pointer]);
        if (this.scanned.has(pointer)) continue;
        this.scanned.add(pointer);
        const target = this.resolve(`#${pointer.replaceAll("%", "%25")}`);
        if (target) queue.push(target);
      }
      if (already) affected.push(node.pointer);
    }
    for (const pointer of affected) {
      if (this.affected.has(pointer)) continue;
      this.affected.add(pointer);
      affected.push(...(referencing.get(pointer) ?? []));
    }
  }

  private scanOne(node: Node): Scan {
    const scan: Scan = { marked: false, references: new Set(), plain: true };
    this.scanSchema(node.value, node.pointer, scan);
    if (scan.plain) this.plain.add(node.pointer);
    return scan;
  }

  private scanSchema(schema: JsonValue, pointer: string | undefined, scan: Scan): void {
    if (!isObject(schema)) return;
    const target = this.target(schema);
    if (target) {
      scan.references.add(target.pointer);
      scan.plain &&= Object.keys(schema).length === 1;
    }
    visitSubschemas(schema, (subschema, keyword) => {
      if (keyword === "properties" && !scan.marked) {
        scan.marked = this.isLeftOut(subschema, "request") || this.isLeftOut(subschema, "response");
      }
      this.scanSchema(subschema, undefined, scan);
    });
    if (schema.discriminator === undefined) return;
    scan.plain = false;
    for (const branch of this.readDiscriminator(schema, pointer)) scan.references.add(branch);
  }

  /**
   * Notes by which name a discriminator tells the schemas that its values stand for.
   *
   * @param pointer of the schema, where references can name it
   * @returns the pointers of those schemas
   */
  readDiscriminator(schema: JsonObject, pointer: string | undefined): Set<string> {
    const name = isObject(schema.discriminator) ? schema.discriminator.propertyName : undefined;
    if (typeof name !== "string") return new Set();
    const branches = new Set(discriminatorMapping(this.document, schema, pointer, this.children).values());
    for (const branch of branches) {
      const names = this.tellingNames.get(branch) ?? new Set();
      this.tellingNames.set(branch, names.add(name));
    }
    return branches;
  }
}
