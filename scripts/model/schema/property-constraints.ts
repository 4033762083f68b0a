import { isScalar, type Scalar } from "../../json.js";
import { listConjuncts, memoizeByDepth } from "./composition.js";
import type { Schema } from "./schema.js";

/** Constraints on the properties of every object that is valid against a schema. */
export interface PropertyConstraints {
  required: ReadonlySet<string>;
  /** Allowed values by property, for properties whose schema has `const` or `enum`. */
  allowedValues: ReadonlyMap<string, ReadonlySet<Scalar>>;
}

const NO_CONSTRAINTS: PropertyConstraints = { required: new Set(), allowedValues: new Map() };

/** Infers the constraints of a schema. Nested composition is read to a limited depth. */
export const getPropertyConstraints = memoizeByDepth(inferPropertyConstraints, () => NO_CONSTRAINTS);

function inferPropertyConstraints(schema: Schema, depth: number): PropertyConstraints {
  const required = new Set(schema.required);
  const allowedValues = new Map<string, ReadonlySet<Scalar>>();
  for (const [name, property] of schema.properties) {
    const scalars = getListedScalars(property, depth);
    if (scalars) allowedValues.set(name, scalars);
  }
  const parts = listConjuncts(schema).map((part) => getPropertyConstraints(part, depth - 1));
  for (const branches of schema.unions)
    parts.push(combineBranches(branches.map((branch) => getPropertyConstraints(branch, depth - 1))));
  for (const part of parts) {
    for (const name of part.required) required.add(name);
    for (const [name, scalars] of part.allowedValues) {
      const existing = allowedValues.get(name);
      allowedValues.set(
        name,
        existing ? new Set([...existing].filter((each) => scalars.has(each))) : scalars,
      );
    }
  }
  return { required, allowedValues };
}

/** Returns the listed scalars of a schema, or else of its first conjunct that has some. Later conjuncts can only exclude values. */
function getListedScalars(schema: Schema, depth: number): ReadonlySet<Scalar> | undefined {
  // `nullable` allows null, which the list need not contain.
  if (depth === 0 || schema.nullable) return undefined;
  const { listedValues } = schema;
  if (listedValues?.every(isScalar)) return new Set(listedValues.filter(isScalar));
  for (const part of listConjuncts(schema)) {
    const scalars = getListedScalars(part, depth - 1);
    if (scalars) return scalars;
  }
  return undefined;
}

/** Returns the constraints that every branch of a union has. A property can have the values of any branch. */
function combineBranches(branches: PropertyConstraints[]): PropertyConstraints {
  const [first, ...others] = branches;
  if (!first) return NO_CONSTRAINTS;
  const required = [...first.required].filter((name) => others.every((other) => other.required.has(name)));
  const allowedValues = new Map<string, ReadonlySet<Scalar>>();
  for (const name of first.allowedValues.keys()) {
    const sets = branches.map((branch) => branch.allowedValues.get(name));
    if (sets.every((set) => set !== undefined))
      allowedValues.set(name, new Set(sets.flatMap((set) => [...set])));
  }
  return { required: new Set(required), allowedValues };
}
