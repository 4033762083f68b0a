import type { JsonValue } from "../../model/model.js";
import type { Schema } from "../../model/schema/schema.js";

/** The constraints of a schema and its composed schemas on a property. */
interface PropertyConstraints {
  /** The values of each `const` or `enum`. */
  valueLists: JsonValue[][];
  types: Set<string>;
  /** Whether branches of a union have different constraints. */
  branchesDiffer: boolean;
}

/**
 * Returns the discriminator values that select a schema. Converts them from the text in `mapping` to the type of the
 * property.
 *
 * @param names the values in `mapping`
 * @returns undefined if the schema itself determines the value
 */
export function selectDiscriminatorValues(
  schema: Schema,
  property: string,
  names: readonly string[],
): readonly JsonValue[] | undefined {
  const { valueLists, types, branchesDiffer } = collectConstraints(schema, property, new Set());
  if (branchesDiffer || names.length === 0) return undefined;
  const [first, ...others] = valueLists;
  if (first) {
    const allowed = first.filter((value) => others.every((list) => list.includes(value)));
    const selected = allowed.filter((value) => names.includes(String(value)));
    return selected.length === 0 || selected.length === allowed.length ? undefined : selected;
  }
  if (types.size === 0 || types.has("string")) return names;
  if (types.has("boolean"))
    return names.filter((name) => name === "true" || name === "false").map((name) => name === "true");
  if (!types.has("integer") && !types.has("number")) return undefined;
  const numbers = names.map(Number).filter((value) => Number.isFinite(value));
  return numbers.length === 0 ? undefined : numbers;
}

function createEmptyConstraints(): PropertyConstraints {
  return { valueLists: [], types: new Set(), branchesDiffer: false };
}

function collectConstraints(
  schema: Schema,
  property: string,
  seen: Set<Schema>,
  result = createEmptyConstraints(),
): PropertyConstraints {
  if (seen.has(schema)) return result;
  seen.add(schema);
  const propertySchema = schema.properties.get(property);
  if (propertySchema) addPropertyConstraints(propertySchema, new Set(), result);
  for (const member of schema.subschemaList("allOf")) collectConstraints(member, property, seen, result);
  for (const branch of schema.unions.flat()) {
    const { valueLists, types, branchesDiffer } = collectConstraints(branch, property, seen);
    result.branchesDiffer ||= valueLists.length > 0 || types.size > 0 || branchesDiffer;
  }
  if (schema.reference) collectConstraints(schema.reference, property, seen, result);
  return result;
}

/** Adds the constraints of a schema of the property. */
function addPropertyConstraints(schema: Schema, seen: Set<Schema>, result: PropertyConstraints): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  if (schema.listedValues) result.valueLists.push([...schema.listedValues]);
  for (const type of schema.declaredTypes ?? []) if (type !== "null") result.types.add(type);
  for (const member of schema.subschemaList("allOf")) addPropertyConstraints(member, seen, result);
  for (const branches of schema.unions) {
    const all = createEmptyConstraints();
    for (const branch of branches) addPropertyConstraints(branch, seen, all);
    for (const type of all.types) result.types.add(type);
    if (all.valueLists.length > 0) result.valueLists.push(all.valueLists.flat());
    result.branchesDiffer ||= all.valueLists.length > 0 && all.valueLists.length < branches.length;
  }
  if (schema.reference) addPropertyConstraints(schema.reference, seen, result);
}
