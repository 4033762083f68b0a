import type { Schema } from "../../model/schema/schema.js";

/** The way that a type contains another: in an intersection (a reference, `allOf`) or in a union (`oneOf`, `anyOf`). */
export type Composition = "intersection" | "union";

/** The type to write instead of a reference that would make a type alias circular. */
export type Replacement =
  /** The type of the target without its union, because the alternatives of the union extend the target. */
  | "base"
  /** No reference: the target is a union that contains the schema. */
  | "nothing";

/**
 * Finds the type aliases that contain themselves outside of properties and items, such as `type A = A | string`. TypeScript
 * rejects them as circular.
 */
export class TypeCycles {
  private readonly references = new Map<Schema, Record<Composition, Set<Schema>>>();
  /** Number of the cycle that a schema is in. */
  private readonly cycles: ReadonlyMap<Schema, number>;
  /** Number of the cycle that a schema is in, counting only references through unions. */
  private readonly unionCycles: ReadonlyMap<Schema, number>;

  /** @param roots the schemas with declarations of their own */
  constructor(roots: Iterable<Schema>) {
    const schemas = new Set(roots);
    for (const schema of schemas) {
      const { intersection, union } = collectReferences(schema);
      this.references.set(schema, { intersection, union });
      for (const target of [...intersection, ...union]) schemas.add(target);
    }
    this.cycles = numberCycles(schemas, (schema) => [
      ...this.referencesOf(schema, "intersection"),
      ...this.referencesOf(schema, "union"),
    ]);
    this.unionCycles = numberCycles(schemas, (schema) => this.referencesOf(schema, "union"));
  }

  /** Returns the replacement of a reference that closes a cycle; undefined for any other reference. */
  findReplacement(from: Schema, to: Schema, composition: Composition): Replacement | undefined {
    if (!inSameCycle(this.cycles, from, to)) return undefined;
    if (composition === "intersection") return "base";
    return inSameCycle(this.unionCycles, from, to) ? "nothing" : undefined;
  }

  private referencesOf(schema: Schema, composition: Composition): Iterable<Schema> {
    return this.references.get(schema)?.[composition] ?? [];
  }
}

function inSameCycle(numbers: ReadonlyMap<Schema, number>, a: Schema, b: Schema): boolean {
  const number = numbers.get(a);
  return number !== undefined && number === numbers.get(b);
}

/** Collects the schemas that a schema refers to for the same value, directly or through composition. */
function collectReferences(root: Schema): Record<Composition, Set<Schema>> {
  const references = { intersection: new Set<Schema>(), union: new Set<Schema>() };
  const pending: [schema: Schema, composition: Composition][] = [[root, "intersection"]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [schema, composition] = next;
    if (schema.reference) references[composition].add(schema.reference);
    for (const member of schema.subschemaList("allOf")) pending.push([member, composition]);
    for (const branch of listUnions(schema).flat()) pending.push([branch, "union"]);
  }
  return references;
}

/** Lists the unions of a schema: `anyOf`, `oneOf`, and `then` with `else`. A value matches a branch of each. */
export function listUnions(schema: Schema): (readonly Schema[])[] {
  const then = schema.subschema("then");
  const otherwise = schema.subschema("else");
  return [...schema.unions, ...(then && otherwise ? [[then, otherwise]] : [])];
}

/**
 * Finds the cycles of a graph: numbers its strongly connected components with Tarjan's algorithm. Only nodes in cycles get
 * a number.
 */
function numberCycles<T>(nodes: Iterable<T>, successors: (node: T) => Iterable<T>): Map<T, number> {
  const indexes = new Map<T, number>();
  const lowLinks = new Map<T, number>();
  const stack: T[] = [];
  const onStack = new Set<T>();
  const numbers = new Map<T, number>();
  let count = 0;

  /** A node whose successors are being visited. A stack of these replaces recursion, which would overflow on long chains. */
  interface Visit {
    node: T;
    targets: Iterator<T>;
    isLoop: boolean;
  }
  const enter = (node: T): Visit => {
    indexes.set(node, indexes.size);
    lowLinks.set(node, indexes.get(node) ?? 0);
    stack.push(node);
    onStack.add(node);
    return { node, targets: successors(node)[Symbol.iterator](), isLoop: false };
  };
  const lowerLink = (node: T, value: number): void => {
    lowLinks.set(node, Math.min(lowLinks.get(node) ?? 0, value));
  };
  const leave = ({ node, isLoop }: Visit): void => {
    if (lowLinks.get(node) !== indexes.get(node)) return;
    const component: T[] = [];
    for (let last = stack.pop(); last !== undefined; last = last === node ? undefined : stack.pop()) {
      onStack.delete(last);
      component.push(last);
    }
    if (component.length > 1 || isLoop) for (const each of component) numbers.set(each, count);
    count += 1;
  };

  for (const root of nodes) {
    if (indexes.has(root)) continue;
    const visits = [enter(root)];
    for (let visit = visits.at(-1); visit; visit = visits.at(-1)) {
      const { value: target, done } = visit.targets.next();
      if (done === true) {
        leave(visit);
        visits.pop();
        const parent = visits.at(-1);
        if (parent) lowerLink(parent.node, lowLinks.get(visit.node) ?? 0);
        continue;
      }
      visit.isLoop ||= target === visit.node;
      if (!indexes.has(target)) visits.push(enter(target));
      else if (onStack.has(target)) lowerLink(visit.node, indexes.get(target) ?? 0);
    }
  }
  return numbers;
}
