import type { JsonValue } from "../../json.js";
import { getOrCreate } from "../../maps.js";
import { walkGraph } from "../../walk-graph.js";
import { listComposedParts, listConjuncts } from "./composition.js";
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
 * Returns the discriminator values that select a schema, which are keys of `mapping`, in the type of the property; undefined if they are
 * unknown, or would not narrow the constraints that the schema declares.
 */
export function selectDiscriminatorValues(
  schema: Schema,
  property: string,
  names: readonly string[],
): readonly JsonValue[] | undefined {
  const { valueLists, types, branchesDiffer } = collectConstraints(schema, property);
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
export function matchesNoValue(schema: Schema, property: string, names: readonly string[]): boolean {
  const { types, branchesDiffer } = collectConstraints(schema, property);
  return !branchesDiffer && convertNames(names, types).length === 0;
}

function convertNames(names: readonly string[], types: ReadonlySet<string>): readonly JsonValue[] {
  if (types.size === 0 || types.has("string")) return names;
  if (types.has("boolean"))
    return names.filter((name) => name === "true" || name === "false").map((name) => name === "true");
  const isNumeric = types.has("integer") || types.has("number");
  return isNumeric ? names.map(Number).filter((value) => Number.isFinite(value)) : [];
}

function collectConstraints(schema: Schema, property: string): ValueConstraints {
  const conjuncts = [...walkGraph([schema], listConjuncts)];
  const result = collectValueConstraints(conjuncts.flatMap((each) => each.properties.get(property) ?? []));
  const visited = new Set(conjuncts);
  for (const conjunct of conjuncts) {
    const branches = listPossibleBranches(conjunct, property, visited);
    result.branchesDiffer ||= branches?.some((branch) => isConstrained(branch, property, visited)) ?? true;
  }
  return result;
}

function collectValueConstraints(propertySchemas: readonly Schema[]): ValueConstraints {
  const result: ValueConstraints = { valueLists: [], types: new Set(), branchesDiffer: false };
  const addTypes = ({ declaredTypes = [] }: Schema): void => {
    for (const type of declaredTypes) if (type !== "null") result.types.add(type);
  };
  for (const schema of walkGraph(propertySchemas, listConjuncts)) {
    addTypes(schema);
    if (schema.listedValues) result.valueLists.push([...schema.listedValues]);
    for (const branches of schema.unions) {
      const parts = branches.map((branch) => [...walkGraph([branch], listComposedParts)]);
      parts.flat().forEach(addTypes);
      const lists = parts.map((each) => each.flatMap(({ listedValues }) => listedValues ?? []));
      const nonEmpty = lists.filter(({ length }) => length > 0);
      // The property may have a value of any branch.
      if (nonEmpty.length > 0) result.valueLists.push(nonEmpty.flat());
      // A branch without a list allows values that no other branch lists.
      result.branchesDiffer ||= nonEmpty.length > 0 && nonEmpty.length < lists.length;
    }
  }
  return result;
}

/**
 * Lists the branches of a schema that can constrain a property; undefined if its discriminator selects a branch by the property. A branch
 * that was visited extends the union.
 */
function listPossibleBranches(
  schema: Schema,
  property: string,
  visited: ReadonlySet<Schema>,
): readonly Schema[] | undefined {
  const branches = schema.unions.flat();
  if (branches.some((branch) => visited.has(branch.reference ?? branch)))
    return findConstrainedBranches(schema, property);
  return branches.length > 0 && schema.discriminator?.propertyName === property ? undefined : branches;
}

/** The branches of unions that constrain a property, by its name. */
const constrainedBranches = new WeakMap<Schema, Map<string, readonly Schema[]>>();

/** Finds the branches that constrain a property by more than they inherit. Cached, so that the total time is linear. */
function findConstrainedBranches(union: Schema, property: string): readonly Schema[] {
  const known = getOrCreate(constrainedBranches, union, () => new Map<string, readonly Schema[]>());
  return getOrCreate(known, property, () => {
    const branches = union.unions.flat();
    // Until the result is known, for unions that extend each other.
    known.set(property, branches);
    // Later branches skip what earlier ones have visited in vain, because unions of each other would take the fifth power of their number.
    const unconstrained = new Set<Schema>();
    return branches.filter((branch) => {
      const visited = new Set([union]);
      if (isConstrained(branch, property, visited, unconstrained)) return true;
      for (const schema of visited) unconstrained.add(schema);
      return false;
    });
  });
}

/**
 * Whether a branch, or a schema that it is composed of, constrains a property. Skips visited schemas, and adds others to them. Also skips
 * those that are known to be unconstrained.
 */
function isConstrained(
  branch: Schema,
  property: string,
  visited: Set<Schema>,
  unconstrained: ReadonlySet<Schema> = new Set(),
): boolean {
  // A stack replaces recursion, which would overflow on long chains.
  const pending = [branch];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (visited.has(next)) continue;
    visited.add(next);
    if (unconstrained.has(next)) continue;
    const propertySchema = next.properties.get(property);
    const { valueLists, types } = collectValueConstraints(propertySchema ? [propertySchema] : []);
    const branches = listPossibleBranches(next, property, visited);
    if (!branches || valueLists.length > 0 || types.size > 0) return true;
    pending.push(...branches, ...listConjuncts(next));
  }
  return false;
}
