import type { JsonObject, JsonValue } from "../model/model.js";
import { isObject } from "../model/node.js";
import { type DynamicScope, own } from "./frame.js";
import type { Registry } from "./registry.js";
import { below, keywordsOf, membersOf, nodeKey, type SchemaNode } from "./schema.js";
import { typesOfValues } from "./scalars.js";
import { ALL_TYPES, type JsonType, toJsonTypes } from "./types.js";

/** Deeper composition is not looked into; what is found is then less, and never wrong. */
const DEPTH = 6;

export type Scalar = string | number | boolean | null;

/** What is known of the properties of any object that fits a schema. */
interface Facts {
  required: ReadonlySet<string>;
  /** The values that a property can have, where they are listed. */
  values: ReadonlyMap<string, ReadonlySet<Scalar>>;
}

/** What a schema evaluates whenever it fits, as `unevaluatedProperties` or `unevaluatedItems` sees it. */
export interface Evaluated {
  all: boolean;
  names: Set<string>;
  patterns: Set<string>;
  /** How many items from the first on. */
  items: number;
}

const NO_FACTS: Facts = { required: new Set(), values: new Map() };

/** Looks through references and composition for what holds of every value that fits a schema. */
export class Analysis {
  private readonly knownTypes = new Map<string, ReadonlySet<JsonType>>();
  private readonly knownFacts = new Map<string, Facts>();

  constructor(private readonly registry: Registry) {}

  /** The types that a value can have; more than it really can where that is hard to tell. */
  types(node: SchemaNode, depth = DEPTH): ReadonlySet<JsonType> {
    if (node.value === false) return new Set();
    if (!isObject(node.value) || depth === 0) return ALL_TYPES;
    const key = `${depth} ${nodeKey(node)}`;
    const known = this.knownTypes.get(key);
    if (known) return known;
    const { values, orNull } = keywordsOf(node);
    const limits: ReadonlySet<string>[] = [];
    const type = own(values, "type");
    if (type !== undefined) limits.push(toJsonTypes([type].flat().map(String)));
    const listed = typesOfValues(values);
    if (listed) limits.push(listed);
    for (const part of this.always(node, values)) limits.push(this.types(part, depth - 1));
    for (const branches of unions(node, values)) {
      limits.push(new Set(branches.flatMap((branch) => [...this.types(branch, depth - 1)])));
    }
    const types = new Set([...ALL_TYPES].filter((each) => limits.every((limit) => limit.has(each))));
    if (orNull) types.add("null");
    this.knownTypes.set(key, types);
    return types;
  }

  /** What holds of the properties of any object that fits. */
  facts(node: SchemaNode, depth = DEPTH): Facts {
    if (!isObject(node.value) || depth === 0) return NO_FACTS;
    const key = `${depth} ${nodeKey(node)}`;
    const known = this.knownFacts.get(key);
    if (known) return known;
    const { values } = keywordsOf(node);
    const names = own(values, "required");
    const required = new Set<string>();
    if (Array.isArray(names)) for (const name of names) if (typeof name === "string") required.add(name);
    const listed = new Map<string, ReadonlySet<Scalar>>();
    const properties = own(values, "properties");
    if (isObject(properties)) {
      for (const name of Object.keys(properties)) {
        const scalars = this.scalars(below(node, "properties", name), depth);
        if (scalars) listed.set(name, scalars);
      }
    }
    const parts = this.always(node, values).map((part) => this.facts(part, depth - 1));
    for (const branches of unions(node, values)) {
      parts.push(either(branches.map((branch) => this.facts(branch, depth - 1))));
    }
    for (const part of parts) {
      for (const name of part.required) required.add(name);
      for (const [name, scalars] of part.values) {
        const before = listed.get(name);
        listed.set(name, before ? new Set([...before].filter((each) => scalars.has(each))) : scalars);
      }
    }
    const facts: Facts = { required, values: listed };
    this.knownFacts.set(key, facts);
    return facts;
  }

  /** The values that fit a schema, where it lists them and they are no objects or arrays. */
  private scalars(node: SchemaNode, depth: number): ReadonlySet<Scalar> | undefined {
    if (!isObject(node.value) || depth === 0) return undefined;
    const { values, orNull } = keywordsOf(node);
    if (orNull) return undefined;
    const constant = own(values, "const");
    const allowed = constant === undefined ? own(values, "enum") : [constant];
    if (Array.isArray(allowed) && allowed.every(isScalar)) return new Set(allowed);
    for (const part of this.always(node, values)) {
      const found = this.scalars(part, depth - 1);
      if (found) return found;
    }
    return undefined;
  }

  /**
   * What a schema evaluates whenever it fits; undefined where that depends on the value.
   *
   * @param self whether its own `unevaluated...` counts
   */
  evaluated(
    node: SchemaNode,
    kind: "properties" | "items",
    scope: DynamicScope,
    self = true,
    visited: ReadonlySet<string> = new Set(),
  ): Evaluated | undefined {
    const result: Evaluated = { all: false, names: new Set(), patterns: new Set(), items: 0 };
    const key = nodeKey(node);
    if (!isObject(node.value) || visited.has(key)) return result;
    const { values, orNull } = keywordsOf(node);
    const path = new Set([...visited, key]);
    if (orNull && visited.size > 0) return undefined;
    if (kind === "properties") {
      result.all = own(values, "additionalProperties") !== undefined;
      if (self && own(values, "unevaluatedProperties") !== undefined) result.all = true;
      for (const name of memberNames(values, "properties")) result.names.add(name);
      for (const pattern of memberNames(values, "patternProperties")) result.patterns.add(pattern);
    } else {
      result.all = own(values, "items") !== undefined;
      if (self && own(values, "unevaluatedItems") !== undefined) result.all = true;
      const prefix = own(values, "prefixItems");
      result.items = Array.isArray(prefix) ? prefix.length : 0;
    }
    for (const part of this.always(node, values)) {
      const more = this.evaluated(part, kind, scope, true, path);
      if (!more) return undefined;
      result.all ||= more.all;
      for (const name of more.names) result.names.add(name);
      for (const pattern of more.patterns) result.patterns.add(pattern);
      result.items = Math.max(result.items, more.items);
    }
    if (result.all) return result;
    if (kind === "items" && own(values, "contains") !== undefined) return undefined;
    if (own(values, "$dynamicRef") !== undefined) return undefined;
    for (const keyword of ["anyOf", "oneOf", "if", "then", "else", "dependentSchemas"]) {
      for (const { keys } of membersOf(keyword, own(values, keyword))) {
        const more = this.evaluated(below(node, ...keys), kind, scope, true, path);
        if (!more || more.all || more.names.size + more.patterns.size + more.items > 0) return undefined;
      }
    }
    return result;
  }

  /** Whether nothing is ever evaluated by a schema, so that there is nothing to note. */
  evaluatesNothing(node: SchemaNode, scope: DynamicScope): boolean {
    return (["properties", "items"] as const).every((kind) => {
      const found = this.evaluated(node, kind, scope);
      return found && !found.all && found.names.size + found.patterns.size + found.items === 0;
    });
  }

  /** The schemas that apply to the same value in any case. */
  private always(node: SchemaNode, values: JsonObject): SchemaNode[] {
    const reference = own(values, "$ref");
    const target = typeof reference === "string" ? [this.registry.follow(node, reference)] : [];
    return [...target, ...membersOf("allOf", own(values, "allOf")).map(({ keys }) => below(node, ...keys))];
  }
}

/** The branches of `anyOf` and of `oneOf`. */
function unions(node: SchemaNode, values: JsonObject): SchemaNode[][] {
  return ["anyOf", "oneOf"]
    .map((keyword) => membersOf(keyword, own(values, keyword)).map(({ keys }) => below(node, ...keys)))
    .filter((branches) => branches.length > 0);
}

/** What holds whichever of several schemas a value fits. */
function either(all: Facts[]): Facts {
  const [first, ...others] = all;
  if (!first) return NO_FACTS;
  const required = [...first.required].filter((name) => others.every((other) => other.required.has(name)));
  const values = new Map<string, ReadonlySet<Scalar>>();
  for (const name of first.values.keys()) {
    const sets = all.map((facts) => facts.values.get(name));
    if (sets.every((set) => set !== undefined)) values.set(name, new Set(sets.flatMap((set) => [...set])));
  }
  return { required: new Set(required), values };
}

function memberNames(values: JsonObject, keyword: string): string[] {
  const value = own(values, keyword);
  return isObject(value) ? Object.keys(value) : [];
}

function isScalar(value: JsonValue): value is Scalar {
  return typeof value !== "object" || value === null;
}
