import type { Schema } from "../../model/schema/schema.js";

/** Kind of containment in a type: in an intersection (a reference, `allOf`) or in a union (`oneOf`, `anyOf`). */
export type Composition = "all" | "one";

/** The type to write instead of a reference that would make a type alias circular. */
export type Replacement =
  /** The target without its union: the alternatives of the union extend it. */
  | "base"
  /** Nothing: the target adds no information to the schema. */
  | "nothing";

/** Finds circular type aliases, which TypeScript rejects: they contain themselves outside of properties and items. */
export class TypeCycles {
  private readonly parts = new Map<Schema, Record<Composition, Set<Schema>>>();
  /** Numbers of the cycles: through intersections and unions, and through unions alone. */
  private readonly cycles: ReadonlyMap<Schema, number>;
  private readonly unionCycles: ReadonlyMap<Schema, number>;

  /** @param roots the schemas with declarations of their own */
  constructor(roots: Iterable<Schema>) {
    const schemas = new Set(roots);
    for (const schema of schemas) {
      const parts = partsOf(schema);
      this.parts.set(schema, parts);
      for (const part of [...parts.all, ...parts.one]) schemas.add(part);
    }
    this.cycles = numberCycles(schemas, (schema) => [
      ...this.next(schema, "all"),
      ...this.next(schema, "one"),
    ]);
    this.unionCycles = numberCycles(schemas, (schema) => this.next(schema, "one"));
  }

  /** Returns the replacement of a reference that closes a cycle; undefined for any other reference. */
  replacement(from: Schema, to: Schema, composition: Composition): Replacement | undefined {
    if (!inSameCycle(this.cycles, from, to)) return undefined;
    if (composition === "all") return "base";
    return inSameCycle(this.unionCycles, from, to) ? "nothing" : undefined;
  }

  private next(schema: Schema, composition: Composition): Iterable<Schema> {
    return this.parts.get(schema)?.[composition] ?? [];
  }
}

function inSameCycle(numbers: ReadonlyMap<Schema, number>, a: Schema, b: Schema): boolean {
  const number = numbers.get(a);
  return number !== undefined && number === numbers.get(b);
}

/** Collects the references of a schema that apply to the same value. */
function partsOf(root: Schema): Record<Composition, Set<Schema>> {
  const parts = { all: new Set<Schema>(), one: new Set<Schema>() };
  const pending: [schema: Schema, composition: Composition][] = [[root, "all"]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [schema, composition] = next;
    if (schema.reference) parts[composition].add(schema.reference);
    for (const member of schema.list("allOf")) pending.push([member, composition]);
    for (const branch of alternatives(schema).flat()) pending.push([branch, "one"]);
  }
  return parts;
}

/** The unions of a schema, including `then` with `else`: a value matches one schema of each. */
export function alternatives(schema: Schema): (readonly Schema[])[] {
  const then = schema.one("then");
  const otherwise = schema.one("else");
  return [...schema.unions, ...(then && otherwise ? [[then, otherwise]] : [])];
}

/** Numbers the strongly connected components with Tarjan's algorithm. A node outside of cycles has no number. */
function numberCycles<T>(nodes: Iterable<T>, next: (node: T) => Iterable<T>): Map<T, number> {
  const indexes = new Map<T, number>();
  const lowLinks = new Map<T, number>();
  const stack: T[] = [];
  const onStack = new Set<T>();
  const numbers = new Map<T, number>();
  let count = 0;

  /** A node whose successors are being visited: recursion would overflow on long chains. */
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
    return { node, targets: next(node)[Symbol.iterator](), isLoop: false };
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
