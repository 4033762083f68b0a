import type { JsonValue } from "../../json.js";
import { getOrCreate } from "../../maps.js";
import { type Recursion, runRecursion } from "./run-recursion.js";
import type { Schema } from "./schema.js";

/** The constraints on a property, collected from a schema and the schemas that it is composed of. */
interface ValueConstraints {
  /** The values of each `const` or `enum`. The property must have a value that is in all lists. */
  valueLists: JsonValue[][];
  /** The declared types, without `null`. */
  types: Set<string>;
  /** Whether the constraints depend on the branch of a union. */
  branchesDiffer: boolean;
}

/**
 * Returns the discriminator values that select a schema. They are text in `mapping`, and are converted to the type of the
 * property.
 *
 * @param names keys of `mapping` that select the schema
 * @returns undefined if the values are unknown, or would not narrow the constraints that the schema itself declares
 */
export function selectDiscriminatorValues(
  schema: Schema,
  property: string,
  names: readonly string[],
): readonly JsonValue[] | undefined {
  const { valueLists, types, branchesDiffer } = runRecursion(collectConstraints(schema, property));
  if (branchesDiffer || names.length === 0) return undefined;
  const [first, ...others] = valueLists;
  if (first) {
    const allowed = first.filter((value) => others.every((values) => values.includes(value)));
    const selected = allowed.filter((value) => names.includes(String(value)));
    return selected.length === 0 || selected.length === allowed.length ? undefined : selected;
  }
  const values = convertNames(names, types);
  return values.length === 0 ? undefined : values;
}

/** Whether none of the discriminator values that select a schema can be converted to the type of the property. */
export function fitsNoValue(schema: Schema, property: string, names: readonly string[]): boolean {
  const { types, branchesDiffer } = runRecursion(collectConstraints(schema, property));
  return !branchesDiffer && convertNames(names, types).length === 0;
}

function convertNames(names: readonly string[], types: ReadonlySet<string>): readonly JsonValue[] {
  if (types.size === 0 || types.has("string")) return names;
  if (types.has("boolean"))
    return names.filter((name) => name === "true" || name === "false").map((name) => name === "true");
  const isNumeric = types.has("integer") || types.has("number");
  return isNumeric ? names.map(Number).filter((value) => Number.isFinite(value)) : [];
}

function createEmptyConstraints(): ValueConstraints {
  return { valueLists: [], types: new Set(), branchesDiffer: false };
}

function* collectConstraints(
  schema: Schema,
  property: string,
  seen = new Set<Schema>(),
  result = createEmptyConstraints(),
): Recursion<ValueConstraints> {
  if (seen.has(schema)) return result;
  seen.add(schema);
  const propertySchema = schema.properties.get(property);
  if (propertySchema) yield addPropertyConstraints(propertySchema, new Set(), result);
  for (const part of schema.subschemaList("allOf")) yield collectConstraints(part, property, seen, result);
  const branches = schema.unions.flat();
  // A schema that extends a union of which it is a branch is no union itself.
  const extendsItsUnion = branches.some((branch) => seen.has(branch.reference ?? branch));
  const selectsBranch = schema.discriminator?.propertyName === property && !extendsItsUnion;
  result.branchesDiffer ||= selectsBranch && branches.length > 0;
  for (const branch of extendsItsUnion ? yield* findConstrainedBranches(schema, property) : branches)
    result.branchesDiffer ||= isConstrained(yield collectConstraints(branch, property, seen));
  if (schema.reference) yield collectConstraints(schema.reference, property, seen, result);
  return result;
}

/** The branches of unions that constrain a property, by its name. */
const constrainedBranches = new WeakMap<Schema, Map<string, readonly Schema[]>>();

/**
 * Finds the branches that constrain a property by more than what they inherit from their union. Remembers them, so that the time
 * for all branches that extend a union grows linearly with their number.
 */
function* findConstrainedBranches(
  union: Schema,
  property: string,
): Generator<Recursion<ValueConstraints>, readonly Schema[], ValueConstraints> {
  const known = getOrCreate(constrainedBranches, union, () => new Map<string, readonly Schema[]>());
  const branches = known.get(property);
  if (branches) return branches;
  const allBranches = union.unions.flat();
  // Until the result is known, for unions that extend each other.
  known.set(property, allBranches);
  const constrained: Schema[] = [];
  for (const branch of allBranches) {
    if (isConstrained(yield collectConstraints(branch, property, new Set([union])))) constrained.push(branch);
  }
  known.set(property, constrained);
  return constrained;
}

function isConstrained({ valueLists, types, branchesDiffer }: ValueConstraints): boolean {
  return valueLists.length > 0 || types.size > 0 || branchesDiffer;
}

/** Adds the constraints from a schema of the property itself. */
function* addPropertyConstraints(
  schema: Schema,
  seen: Set<Schema>,
  result: ValueConstraints,
): Recursion<ValueConstraints> {
  if (seen.has(schema)) return result;
  seen.add(schema);
  if (schema.listedValues) result.valueLists.push([...schema.listedValues]);
  for (const type of schema.declaredTypes ?? []) if (type !== "null") result.types.add(type);
  for (const part of schema.subschemaList("allOf")) yield addPropertyConstraints(part, seen, result);
  for (const branches of schema.unions) {
    const union = createEmptyConstraints();
    for (const branch of branches) yield addPropertyConstraints(branch, seen, union);
    for (const type of union.types) result.types.add(type);
    // The property may have a value of any branch.
    if (union.valueLists.length > 0) result.valueLists.push(union.valueLists.flat());
    // A branch without a list allows values that no other branch lists.
    result.branchesDiffer ||= union.valueLists.length > 0 && union.valueLists.length < branches.length;
  }
  if (schema.reference) yield addPropertyConstraints(schema.reference, seen, result);
  return result;
}
