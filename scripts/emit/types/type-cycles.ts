import { findStronglyConnectedComponents } from "../../strongly-connected-components.js";
import { getOrCreate } from "../../maps.js";
import type { Schema } from "../../model/schema/schema.js";
import { walkGraph } from "../../walk-graph.js";

/** Kind of containment of one type in another: in an intersection (a reference, `allOf`) or in a union (`oneOf`, `anyOf`). */
export type Composition = "intersection" | "union";

/** The type to write instead of a reference that would make a type alias circular. */
type CycleReplacement =
  /** The type of the target without its unions, whose branches refer back to the target. */
  | "base"
  /** No type, because the target is a union of which the schema is a part. */
  | "omitted";

/**
 * Finds the type aliases that contain themselves outside of properties and items, such as `type A = A | string`. TypeScript
 * rejects them as circular.
 */
export class TypeCycles {
  /** Number of the cycle that a schema is in. */
  private readonly cycles: ReadonlyMap<Schema, number>;
  /** Number of the cycle that a schema is in, counting only references through unions. */
  private readonly unionCycles: ReadonlyMap<Schema, number>;

  /** @param roots the schemas with declarations of their own */
  constructor(roots: Iterable<Schema>) {
    const references = new Map<Schema, References>();
    const listReferences = (schema: Schema): References =>
      getOrCreate(references, schema, () => collectReferences(schema));
    this.cycles = findStronglyConnectedComponents(roots, (schema) => listReferences(schema).all);
    this.unionCycles = findStronglyConnectedComponents(
      references.keys(),
      (schema) => listReferences(schema).union,
    );
  }

  /** Returns the replacement of a reference that closes a cycle; undefined for any other reference. */
  findReplacement(from: Schema, to: Schema, composition: Composition): CycleReplacement | undefined {
    if (!areInSameCycle(this.cycles, from, to)) return undefined;
    if (composition === "intersection") return "base";
    return areInSameCycle(this.unionCycles, from, to) ? "omitted" : undefined;
  }
}

function areInSameCycle(numbers: ReadonlyMap<Schema, number>, a: Schema, b: Schema): boolean {
  const number = numbers.get(a);
  return number !== undefined && number === numbers.get(b);
}

/** The schemas that a schema refers to outside of properties and items: all of them, and those in unions. */
type References = Record<"all" | "union", Set<Schema>>;

function collectReferences(root: Schema): References {
  const listBranches = (schema: Schema): Schema[] => listUnions(schema).flat();
  const listParts = (schema: Schema): Schema[] => [...schema.subschemaList("allOf"), ...listBranches(schema)];
  const listTargets = (schemas: Iterable<Schema>): Set<Schema> =>
    new Set([...schemas].flatMap(({ reference }) => reference ?? []));
  const parts = [...walkGraph([root], listParts)];
  return { all: listTargets(parts), union: listTargets(walkGraph(parts.flatMap(listBranches), listParts)) };
}

/** Lists the unions of a schema: `anyOf`, `oneOf`, and `then` with `else`. A value matches a branch of each. */
export function listUnions(schema: Schema): (readonly Schema[])[] {
  const then = schema.subschema("then");
  const otherwise = schema.subschema("else");
  return [...schema.unions, ...(then && otherwise ? [[then, otherwise]] : [])];
}
