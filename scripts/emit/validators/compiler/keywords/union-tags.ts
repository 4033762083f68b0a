import { isScalar, parsePointer, type Scalar } from "../../../../json.js";
import { selectDiscriminatorValues } from "../../../../model/schema/discriminator-values.js";
import { listBranchValues } from "../../../../model/schema/discriminators.js";
import { getPossibleTypes } from "../../../../model/schema/json-types.js";
import {
  getPropertyConstraints,
  type PropertyConstraints,
} from "../../../../model/schema/property-constraints.js";
import type { Schema } from "../../../../model/schema/schema.js";

/** Tag of a union: a property whose value selects the branch. */
export interface UnionTag {
  property: string;
  /** The values of the property, for each branch. */
  values: Scalar[][];
}

/** Finds a required property whose listed values differ in all branches, so that at most one branch can match. */
export function findUnionTag(schema: Schema, branches: readonly Schema[]): UnionTag | undefined {
  const allowsOnlyObjects = branches.every((branch) =>
    [...getPossibleTypes(branch)].every((type) => type === "object"),
  );
  if (!allowsOnlyObjects) return undefined;
  const constraints = branches.map((branch) => getPropertyConstraints(branch));
  const candidates = [...(constraints[0]?.allowedValues.keys() ?? [])].sort();
  if (schema.discriminator) candidates.unshift(schema.discriminator.propertyName);
  const required = candidates.filter((property) => constraints.every((each) => each.required.has(property)));
  return findDisjointTag(required, constraints);
}

/**
 * Finds the property that identifies the intended branch: the discriminator, or a property whose listed values differ in all
 * branches with objects.
 */
export function findReportedTag(schema: Schema, branches: readonly Schema[]): UnionTag | undefined {
  const constraints = branches.map((branch) => getPropertyConstraints(branch));
  const { discriminator } = schema;
  if (discriminator) {
    const property = discriminator.propertyName;
    const names = branches.map((branch, index): Scalar[] => {
      const allowedValues = constraints[index]?.allowedValues.get(property);
      const { reference } = branch;
      const target = reference ?? branch;
      const mapped = listBranchValues(discriminator, target);
      // A schema that is not a component is not in the mapping.
      const named = mapped.length > 0 || !reference ? mapped : parsePointer(reference.pointer).slice(-1);
      // A branch has the discriminator values that refer to it, unless its schema lists only other values.
      const values = selectDiscriminatorValues(target, property, named);
      return values?.filter(isScalar) ?? [...(allowedValues ?? named)];
    });
    return areDisjoint(names.map((each) => new Set(each))) ? { property, values: names } : undefined;
  }
  const objectConstraints = branches.map((branch, index) =>
    getPossibleTypes(branch).has("object") ? constraints[index] : undefined,
  );
  const [first, second] = objectConstraints.filter((each) => each !== undefined);
  if (!first || !second) return undefined;
  return findDisjointTag([...first.allowedValues.keys()].sort(), objectConstraints);
}

/**
 * Finds the first property whose listed values differ in all branches.
 *
 * @param constraints the constraints about each branch; undefined for a branch that allows no objects
 */
function findDisjointTag(
  candidates: readonly string[],
  constraints: readonly (PropertyConstraints | undefined)[],
): UnionTag | undefined {
  for (const property of candidates) {
    const valueSets = constraints.map((each) =>
      each ? each.allowedValues.get(property) : new Set<Scalar>(),
    );
    if (valueSets.every((set) => set !== undefined) && areDisjoint(valueSets))
      return { property, values: valueSets.map((set) => [...set]) };
  }
  return undefined;
}

/** Whether no value is in several of the sets. */
export function areDisjoint(sets: readonly ReadonlySet<unknown>[]): boolean {
  const values = sets.flatMap((set) => [...set]);
  return new Set(values).size === values.length;
}
