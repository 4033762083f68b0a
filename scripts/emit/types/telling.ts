import type { JsonValue } from "../../model/model.js";
import { type Node, isObject } from "../../model/node.js";

type Resolve = (ref: string) => Node | undefined;

/** What schemas say about a property. */
interface Said {
  /** The values that each of them allows, where it lists them. */
  lists: JsonValue[][];
  types: Set<string>;
  /** Whether branches of a union say different things. */
  differs: boolean;
}

/**
 * The values of a discriminator's property that a schema stands for, as literals of its own type. `mapping` spells all
 * of them as text: a number or a boolean is meant where the property is one.
 *
 * @param names the values as `mapping` spells them
 * @returns undefined where the schema says it itself, or something else: then what it says holds
 */
export function tellingValues(
  schema: JsonValue,
  property: string,
  names: string[],
  resolve: Resolve,
): JsonValue[] | undefined {
  const said: Said = { lists: [], types: new Set(), differs: false };
  collect(schema, property, said, resolve, new Set());
  if (said.differs || names.length === 0) return undefined;
  const [first, ...others] = said.lists;
  if (first) {
    const allowed = first.filter((value) => others.every((list) => list.includes(value)));
    const meant = allowed.filter((value) => names.includes(String(value)));
    return meant.length === 0 || meant.length === allowed.length ? undefined : meant;
  }
  if (said.types.size === 0 || said.types.has("string")) return names;
  if (said.types.has("boolean"))
    return names.filter((name) => name === "true" || name === "false").map((name) => name === "true");
  if (!said.types.has("integer") && !said.types.has("number")) return undefined;
  const numbers = names.map(Number).filter((value) => Number.isFinite(value));
  return numbers.length === 0 ? undefined : numbers;
}

function collect(schema: JsonValue, property: string, said: Said, resolve: Resolve, seen: Set<string>): void {
  if (!isObject(schema)) return;
  const { properties } = schema;
  if (isObject(properties) && Object.hasOwn(properties, property)) {
    describe(properties[property] ?? null, said, resolve, new Set());
  }
  for (const member of Array.isArray(schema.allOf) ? schema.allOf : []) {
    collect(member, property, said, resolve, seen);
  }
  for (const union of [schema.oneOf, schema.anyOf]) {
    for (const member of Array.isArray(union) ? union : []) {
      const branch: Said = { lists: [], types: new Set(), differs: false };
      collect(member, property, branch, resolve, seen);
      if (branch.lists.length > 0 || branch.types.size > 0 || branch.differs) said.differs = true;
    }
  }
  const target = typeof schema.$ref === "string" ? resolve(schema.$ref) : undefined;
  if (!target || seen.has(target.pointer)) return;
  seen.add(target.pointer);
  collect(target.value, property, said, resolve, seen);
}

/** What the schema of the property itself says. */
function describe(schema: JsonValue, said: Said, resolve: Resolve, seen: Set<string>): void {
  if (!isObject(schema)) return;
  if (schema.const !== undefined) said.lists.push([schema.const]);
  else if (Array.isArray(schema.enum)) said.lists.push(schema.enum);
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  for (const type of types) if (typeof type === "string" && type !== "null") said.types.add(type);
  for (const member of Array.isArray(schema.allOf) ? schema.allOf : []) describe(member, said, resolve, seen);
  for (const union of [schema.oneOf, schema.anyOf]) {
    if (!Array.isArray(union)) continue;
    const branch: Said = { lists: [], types: new Set(), differs: false };
    for (const member of union) describe(member, branch, resolve, seen);
    for (const type of branch.types) said.types.add(type);
    if (branch.lists.length > 0) said.lists.push(branch.lists.flat());
    said.differs ||= branch.lists.length > 0 && branch.lists.length < union.length;
  }
  const target = typeof schema.$ref === "string" ? resolve(schema.$ref) : undefined;
  if (!target || seen.has(target.pointer)) return;
  seen.add(target.pointer);
  describe(target.value, said, resolve, seen);
}
