import {
  type Children,
  childrenByParent,
  componentName,
  discriminatorMapping,
} from "../../model/discriminators.js";
import { nameOfPlace } from "../../model/direction.js";
import type { JsonObject, JsonValue } from "../../model/model.js";
import { type Node, escapePointer, isObject, resolve } from "../../model/node.js";
import { Circles } from "./circles.js";
import { allOf, annotated, isAnything, literals, oneOf, special, withValues } from "./combine.js";
import type { Needs } from "./needs.js";
import { type Names, type Prepared, type PreparedSchema } from "./nodes.js";
import { namesOfPattern } from "./patterns.js";
import { tellingValues } from "./telling.js";

/** Where a schema stands: in which component, and how that needs it; undefined behind a property. */
interface Place {
  owner: string | undefined;
  how: keyof Needs | undefined;
}

/** A component schema, prepared, and the name of the type alias that it is to be written as where it needs one. */
export interface Component {
  schema: Prepared;
  alias: string | undefined;
}

const NOWHERE: Place = { owner: undefined, how: undefined };
const ANY_NAME: Names = { prefix: "", suffix: "" };
const SCALARS: ReadonlyMap<JsonValue, string> = new Map([
  ["string", "string"],
  ["number", "number"],
  ["integer", "number"],
  ["boolean", "boolean"],
  ["null", "null"],
]);

/**
 * Prepares the schemas of a document for openapi-typescript, whose reading of composition, discriminators, open
 * objects, tuples and references is put right by saying the same in simpler forms. What it gives allows at least the
 * values that the schema allows, but for two conventions that everybody expects: a schema with properties is that of
 * an object, and an object has the properties that are named.
 */
export class Schemas {
  private readonly children: Children;
  private readonly circles: Circles;
  private readonly targets = new Map<string, Node | undefined>();
  private readonly names: Set<string>;
  private readonly named = new Map<string, { name: string; target: Node }>();
  private readonly mappings = new Map<string, Map<string, string>>();
  /** Schemas whose base is being written into another. */
  private readonly inlining = new Set<string>();

  constructor(private readonly document: JsonObject) {
    this.children = childrenByParent(document);
    this.circles = new Circles(document, (ref) => this.target(ref));
    const { components } = document;
    const schemas = isObject(components) && isObject(components.schemas) ? components.schemas : {};
    this.names = new Set(Object.keys(schemas));
  }

  /** Prepares a schema of the components. */
  component(name: string, schema: JsonValue): Component {
    const pointer = `/components/schemas/${escapePointer(name)}`;
    return this.prepareComponent(pointer, schema);
  }

  /** A schema that stands in something else than a schema. */
  inline(schema: JsonValue): Prepared {
    return this.prepare(schema, NOWHERE, true);
  }

  /** The schemas that got a name because they are referenced where they stand, prepared as components. */
  *others(): Generator<Component & { name: string }> {
    // To prepare one can name others: they come at the end of the map while it is gone through.
    for (const [pointer, { name, target }] of this.named)
      yield { name, ...this.prepareComponent(pointer, target.value) };
  }

  private prepareComponent(pointer: string, schema: JsonValue): Component {
    const prepared = this.prepare(schema, { owner: pointer, how: "all" }, true);
    const told = this.toldByParents(pointer).reduce(
      (all, [name, values]) => withValues(all, name, values),
      prepared,
    );
    return { schema: annotated(told, schema), alias: this.circles.aliasOf(pointer) };
  }

  private prepare(schema: JsonValue, place: Place, isAnnotated = false): Prepared {
    if (schema === false) return false;
    if (!isObject(schema)) return {};
    const parts: Prepared[] = [];
    if (typeof schema.$ref === "string") parts.push(this.reference(schema.$ref, place));
    const isComposed = [schema.$ref, schema.allOf, schema.anyOf, schema.oneOf].some(
      (part) => part !== undefined,
    );
    const core = literals(schema) ?? this.core(schema, isComposed, place);
    if (core !== undefined) parts.push(core);
    for (const member of listOf(schema.allOf)) parts.push(this.prepare(member, place));
    for (const list of [schema.anyOf, schema.oneOf]) {
      if (Array.isArray(list)) parts.push(this.union(list, schema, place));
    }
    if (schema.then !== undefined && schema.else !== undefined) {
      parts.push(this.union([schema.then, schema.else], schema, place));
    }
    const joined = allOf(parts);
    const result = schema.nullable === true ? oneOf([joined, { type: "null" }]) : joined;
    return isAnnotated ? annotated(result, schema) : result;
  }

  private union(list: JsonValue[], owner: JsonObject, place: Place): Prepared {
    const how = place.how === "all" ? "one" : place.how;
    const { discriminator } = owner;
    const name = isObject(discriminator) ? discriminator.propertyName : undefined;
    const mapping =
      typeof name === "string"
        ? discriminatorMapping(this.document, owner, undefined, this.children)
        : undefined;
    const members = list.map((member): Prepared => {
      const prepared = this.prepare(member, { ...place, how });
      const ref = isObject(member) ? member.$ref : undefined;
      const target = typeof ref === "string" ? this.target(ref) : undefined;
      if (typeof name !== "string" || !mapping || !target || prepared === false) return prepared;
      const values = this.valuesOf(target, name, mapping, [target.pointer]);
      const known = this.toldByParents(target.pointer).some(
        ([property, told]) => property === name && JSON.stringify(told) === JSON.stringify(values),
      );
      return values && !known ? withValues(prepared, name, values) : prepared;
    });
    return oneOf(members);
  }

  /** The values of a discriminator that stand for one of some schemas, where the target does not say them itself. */
  private valuesOf(
    target: Node,
    property: string,
    mapping: Map<string, string>,
    pointers: string[],
  ): JsonValue[] | undefined {
    const names = [...mapping].filter(([, pointer]) => pointers.includes(pointer)).map(([name]) => name);
    return tellingValues(target.value, property, names, (ref) => this.target(ref));
  }

  /** What the discriminators of the schemas that a component extends say of it, and of those that extend it. */
  private toldByParents(pointer: string): [property: string, values: JsonValue[]][] {
    const told: [string, JsonValue[]][] = [];
    const target = this.target(`#${pointer.replaceAll("%", "%25")}`);
    if (!target) return told;
    const parents = new Map<string, Node>();
    const find = (node: Node): void => {
      for (const member of listOf(isObject(node.value) ? node.value.allOf : undefined)) {
        const ref = isObject(member) ? member.$ref : undefined;
        const parent = typeof ref === "string" ? this.target(ref) : undefined;
        if (!parent || parents.has(parent.pointer)) continue;
        parents.set(parent.pointer, parent);
        find(parent);
      }
    };
    find(target);
    for (const parent of parents.values()) {
      if (parent.pointer === pointer || !isObject(parent.value) || !isObject(parent.value.discriminator))
        continue;
      const property = parent.value.discriminator.propertyName;
      if (typeof property !== "string") continue;
      const mapping =
        this.mappings.get(parent.pointer) ??
        discriminatorMapping(this.document, parent.value, parent.pointer, this.children);
      this.mappings.set(parent.pointer, mapping);
      const values = this.valuesOf(target, property, mapping, this.withExtending(pointer));
      if (values) told.push([property, values]);
    }
    return told;
  }

  private withExtending(pointer: string): string[] {
    const found = [pointer];
    for (const each of found) {
      for (const extending of this.children.get(each) ?? [])
        if (!found.includes(extending)) found.push(extending);
    }
    return found;
  }

  private target(ref: string): Node | undefined {
    if (!this.targets.has(ref)) this.targets.set(ref, resolve(this.document, ref));
    return this.targets.get(ref);
  }

  private reference(ref: string, { owner, how }: Place): Prepared {
    const target = this.target(ref);
    if (!target) return {};
    const { pointer } = target;
    const detour =
      owner === undefined || how === undefined ? undefined : this.circles.detour(owner, pointer, how);
    if (detour?.kind === "alias") return special({ kind: "alias", name: detour.name });
    if (detour?.kind === "nothing") return owner === pointer ? false : {};
    if (detour?.kind === "base") return this.base(target, owner);
    const name = componentName(pointer) ?? this.nameFor(target);
    return /^[A-Za-z0-9_.-]+$/.test(name)
      ? { $ref: `#/components/schemas/${name}` }
      : special({ kind: "component", name });
  }

  /** A schema without its union, written in the place of a reference to it. */
  private base(target: Node, owner: string | undefined): Prepared {
    if (this.inlining.has(target.pointer) || target.pointer === owner || !isObject(target.value)) return {};
    this.inlining.add(target.pointer);
    const { oneOf: _, anyOf: __, ...rest } = target.value;
    const prepared = this.prepare(rest, { owner, how: "all" });
    this.inlining.delete(target.pointer);
    return prepared;
  }

  private nameFor(target: Node): string {
    const known = this.named.get(target.pointer);
    if (known) return known.name;
    const base = nameOfPlace(target.pointer);
    let name = base;
    for (let serial = 2; this.names.has(name); serial += 1) name = `${base}${serial}`;
    this.names.add(name);
    this.named.set(target.pointer, { name, target });
    return name;
  }

  /** What `type` and the keywords of one type say; undefined when they say nothing. */
  private core(schema: JsonObject, isComposed: boolean, place: Place): Prepared | undefined {
    const types = typesOf(schema);
    if (types === undefined) return undefined;
    const alternatives = new Map<string, Prepared>();
    for (const type of types) {
      const scalar = SCALARS.get(type);
      if (scalar !== undefined) alternatives.set(scalar, { type: scalar });
      else if (type === "array") alternatives.set("array", this.array(schema, place));
      else if (type === "object") {
        const object = this.object(schema, isComposed);
        if (object !== undefined) alternatives.set("object", object);
        // What else is said of it says enough.
        else if (types.length === 1) return undefined;
        else alternatives.set("object", special({ kind: "object" }));
      } else return undefined;
    }
    return oneOf([...alternatives.values()]);
  }

  private array(schema: JsonObject, place: Place): Prepared {
    const inside: Place = { owner: place.owner, how: place.how === undefined ? undefined : "items" };
    const { items, prefixItems, minItems, maxItems } = schema;
    const list = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : undefined;
    if (!list || list.length === 0) {
      if (items === false) return special({ kind: "tuple", items: [], least: 0, rest: undefined });
      return { type: "array", items: this.prepare(Array.isArray(items) ? true : (items ?? true), inside) };
    }
    const others =
      (Array.isArray(prefixItems) ? items : schema.additionalItems) ?? schema.unevaluatedItems ?? true;
    const most = typeof maxItems === "number" ? maxItems : Infinity;
    const first = list.slice(0, most).map((item) => this.prepare(item, inside));
    const isClosed = others === false || most <= first.length;
    return special({
      kind: "tuple",
      items: first,
      least: Math.min(typeof minItems === "number" ? minItems : 0, first.length),
      rest: isClosed ? undefined : this.prepare(Array.isArray(others) ? true : others, inside),
    });
  }

  /** An object with its properties; undefined when nothing but that it is one is said and other schemas say more. */
  private object(schema: JsonObject, isComposed: boolean): Prepared | undefined {
    const properties: [string, Prepared][] = Object.entries(
      isObject(schema.properties) ? schema.properties : {},
    ).map(([name, property]) => [name, this.prepare(property, NOWHERE, true)]);
    const { signatures, isOpen } = this.signatures(schema, isComposed);
    const names = new Set(properties.map(([name]) => name));
    const required = new Set(listOf(schema.required).filter((name) => typeof name === "string"));
    const anything = special({ kind: "anything" });
    for (const name of required) {
      if (names.has(name)) continue;
      const fitting = signatures.filter(
        ({ names: { prefix, suffix } }) => name.startsWith(prefix) && name.endsWith(suffix),
      );
      properties.push([
        name,
        fitting.length > 0 && !isOpen ? allOf(fitting.map(({ types }) => oneOf(types))) : anything,
      ]);
    }
    const own: PreparedSchema = { type: "object" };
    if (properties.length > 0) own.properties = Object.fromEntries(properties);
    if (required.size > 0) own.required = [...required];
    if (signatures.length > 0) {
      if (isOpen) signatures.push({ names: ANY_NAME, types: [{}] });
      const hasOptional = properties.some(([name]) => !required.has(name));
      return special({ kind: "members", properties: own, hasOptional, signatures });
    }
    if (isOpen) return { ...own, additionalProperties: true };
    if (properties.length > 0) return own;
    if (isComposed) return undefined;
    const isEmpty = [schema.additionalProperties, schema.unevaluatedProperties].includes(false);
    return isEmpty ? special({ kind: "empty" }) : own;
  }

  /** The properties that an object may have besides those with names of their own; open where they can be anything. */
  private signatures(
    schema: JsonObject,
    isComposed: boolean,
  ): { signatures: { names: Names; types: Prepared[] }[]; isOpen: boolean } {
    const { patternProperties, additionalProperties, unevaluatedProperties } = schema;
    // Beside other schemas, what they know is evaluated: the rest can no more be told apart.
    const rest =
      additionalProperties ?? (isComposed && isObject(unevaluatedProperties) ? true : unevaluatedProperties);
    const additional = rest === undefined || rest === false ? false : this.prepare(rest, NOWHERE);
    const isOpen = additional !== false && isAnything(additional);
    const signatures = new Map<string, { names: Names; types: Prepared[] }>();
    const add = (names: Names, type: Prepared): void => {
      const key = JSON.stringify(names);
      const known = signatures.get(key) ?? { names, types: [] };
      known.types.push(type);
      signatures.set(key, known);
    };
    for (const [pattern, member] of Object.entries(isObject(patternProperties) ? patternProperties : {})) {
      const type = this.prepare(member, NOWHERE);
      if (type !== false) add(namesOfPattern(pattern) ?? ANY_NAME, type);
    }
    if (additional !== false && !isOpen) add(ANY_NAME, additional);
    const all = signatures.get(JSON.stringify(ANY_NAME));
    if (all) {
      // A signature for every name must allow what those for some names allow.
      for (const [key, { types }] of signatures)
        if (key !== JSON.stringify(ANY_NAME)) all.types.push(...types);
    }
    if (isOpen && all) signatures.delete(JSON.stringify(ANY_NAME));
    return { signatures: [...signatures.values()], isOpen };
  }
}

/** Types that a schema declares, or that its keywords are about; undefined when it is about none. */
function typesOf(schema: JsonObject): JsonValue[] | undefined {
  const { type } = schema;
  if (type !== undefined) return Array.isArray(type) ? type : [type];
  const types: string[] = [];
  const isAboutObjects =
    isObject(schema.properties) ||
    isObject(schema.patternProperties) ||
    schema.additionalProperties !== undefined ||
    listOf(schema.required).length > 0;
  if (isAboutObjects) types.push("object");
  if (schema.items !== undefined || schema.prefixItems !== undefined) types.push("array");
  return types.length === 0 ? undefined : types;
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : [];
}
