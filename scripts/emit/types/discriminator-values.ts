import type { JsonValue } from "../../model/model.js";
import type { Schema } from "../../model/schema/schema.js";

/** The statements of schemas about a property. */
interface Statements {
  /** The values that each schema allows, where it lists them. */
  lists: JsonValue[][];
  types: Set<string>;
  /** Whether branches of a union differ. */
  differ: boolean;
}

/**
 * Returns the discriminator values that select a schema, in the type of the property: `mapping` has text even for
 * numbers and booleans.
 *
 * @param names the values in `mapping`
 * @returns undefined if the schema itself determines the value
 */
export function discriminatorValues(
  schema: Schema,
  property: string,
  names: readonly string[],
): readonly JsonValue[] | undefined {
  const { lists, types, differ } = collect(schema, property, new Set());
  if (differ || names.length === 0) return undefined;
  const [first, ...others] = lists;
  if (first) {
    const allowed = first.filter((value) => others.every((list) => list.includes(value)));
    const meant = allowed.filter((value) => names.includes(String(value)));
    return meant.length === 0 || meant.length === allowed.length ? undefined : meant;
  }
  if (types.size === 0 || types.has("string")) return names;
  if (types.has("boolean"))
    return names.filter((name) => name === "true" || name === "false").map((name) => name === "true");
  if (!types.has("integer") && !types.has("number")) return undefined;
  const numbers = names.map(Number).filter((value) => Number.isFinite(value));
  return numbers.length === 0 ? undefined : numbers;
}

function empty(): Statements {
  return { lists: [], types: new Set(), differ: false };
}

function collect(schema: Schema, property: string, seen: Set<Schema>, into = empty()): Statements {
  if (seen.has(schema)) return into;
  seen.add(schema);
  const own = schema.properties.get(property);
  if (own) describe(own, new Set(), into);
  for (const member of schema.list("allOf")) collect(member, property, seen, into);
  for (const branch of schema.unions.flat()) {
    const { lists, types, differ } = collect(branch, property, seen);
    into.differ ||= lists.length > 0 || types.size > 0 || differ;
  }
  if (schema.reference) collect(schema.reference, property, seen, into);
  return into;
}

/** Adds the statements of the schema of the property itself. */
function describe(schema: Schema, seen: Set<Schema>, into: Statements): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  if (schema.listedValues) into.lists.push([...schema.listedValues]);
  for (const type of schema.declaredTypes ?? []) if (type !== "null") into.types.add(type);
  for (const member of schema.list("allOf")) describe(member, seen, into);
  for (const branches of schema.unions) {
    const all = empty();
    for (const branch of branches) describe(branch, seen, all);
    for (const type of all.types) into.types.add(type);
    if (all.lists.length > 0) into.lists.push(all.lists.flat());
    into.differ ||= all.lists.length > 0 && all.lists.length < branches.length;
  }
  if (schema.reference) describe(schema.reference, seen, into);
}
