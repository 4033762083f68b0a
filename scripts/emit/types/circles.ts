import type { Schema } from "../../model/schema/schema.js";

/**
 * The relation of a type to a type that it contains directly: an intersection (a reference, `allOf`) or a union (`oneOf`,
 * `anyOf`).
 */
export type Need = "all" | "one";

/** Replacement of a reference that would make a type alias circular. */
export type Detour =
  /** The target without its union: the alternatives of the union extend it. */
  | "base"
  /** Nothing: the target adds no information to the schema. */
  | "nothing";

/**
 * Finds the schemas that contain themselves other than through a property or an item. TypeScript rejects such circular
 * type aliases.
 */
export class Circles {
  private readonly needs = new Map<Schema, Record<Need, Set<Schema>>>();
  /** Numbers of the circles of schemas that apply to the same value, and of those that are only alternatives. */
  private readonly same: ReadonlyMap<Schema, number>;
  private readonly unions: ReadonlyMap<Schema, number>;

  /** @param roots the schemas with declarations of their own */
  constructor(roots: Iterable<Schema>) {
    const known = new Set(roots);
    for (const schema of known) {
      const needs = needsOf(schema);
      this.needs.set(schema, needs);
      for (const needed of [...needs.all, ...needs.one]) known.add(needed);
    }
    this.same = numbersOf(known, (schema) => [...this.next(schema, "all"), ...this.next(schema, "one")]);
    this.unions = numbersOf(known, (schema) => this.next(schema, "one"));
  }

  /** The replacement of a reference that would close a circle; undefined for any other reference. */
  detour(from: Schema, to: Schema, need: Need): Detour | undefined {
    if (!isSame(this.same, from, to)) return undefined;
    if (need === "all") return "base";
    return isSame(this.unions, from, to) ? "nothing" : undefined;
  }

  private next(schema: Schema, need: Need): Iterable<Schema> {
    return this.needs.get(schema)?.[need] ?? [];
  }
}

function isSame(numbers: ReadonlyMap<Schema, number>, a: Schema, b: Schema): boolean {
  const number = numbers.get(a);
  return number !== undefined && number === numbers.get(b);
}

function needsOf(root: Schema): Record<Need, Set<Schema>> {
  const needs = { all: new Set<Schema>(), one: new Set<Schema>() };
  const open: [schema: Schema, need: Need][] = [[root, "all"]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [schema, need] = next;
    if (schema.reference) needs[need].add(schema.reference);
    for (const member of schema.list("allOf")) open.push([member, need]);
    for (const branch of alternatives(schema).flat()) open.push([branch, "one"]);
  }
  return needs;
}

/** The unions of a schema, `then` with `else` among them: a value fits one schema of each. */
export function alternatives(schema: Schema): (readonly Schema[])[] {
  const then = schema.one("then");
  const otherwise = schema.one("else");
  return [...schema.unions, ...(then && otherwise ? [[then, otherwise]] : [])];
}

/** Numbers the groups of nodes that lead to each other, by Tarjan's algorithm; a node outside of circles has no number. */
function numbersOf<T>(nodes: Iterable<T>, next: (node: T) => Iterable<T>): Map<T, number> {
  const order = new Map<T, number>();
  const lowest = new Map<T, number>();
  const stack: T[] = [];
  const onStack = new Set<T>();
  const groups = new Map<T, number>();
  let count = 0;

  /** A node whose successors are being visited: recursion would overflow on long chains. */
  interface Visit {
    node: T;
    targets: Iterator<T>;
    isLoop: boolean;
  }
  const begin = (node: T): Visit => {
    order.set(node, order.size);
    lowest.set(node, order.get(node) ?? 0);
    stack.push(node);
    onStack.add(node);
    return { node, targets: next(node)[Symbol.iterator](), isLoop: false };
  };
  const lower = (node: T, value: number): void => {
    lowest.set(node, Math.min(lowest.get(node) ?? 0, value));
  };
  const finish = ({ node, isLoop }: Visit): void => {
    if (lowest.get(node) !== order.get(node)) return;
    const group: T[] = [];
    for (let last = stack.pop(); last !== undefined; last = last === node ? undefined : stack.pop()) {
      onStack.delete(last);
      group.push(last);
    }
    if (group.length > 1 || isLoop) for (const each of group) groups.set(each, count);
    count += 1;
  };

  for (const root of nodes) {
    if (order.has(root)) continue;
    const visits = [begin(root)];
    for (let visit = visits.at(-1); visit; visit = visits.at(-1)) {
      const { value: target, done } = visit.targets.next();
      if (done === true) {
        finish(visit);
        visits.pop();
        const parent = visits.at(-1);
        if (parent) lower(parent.node, lowest.get(visit.node) ?? 0);
        continue;
      }
      visit.isLoop ||= target === visit.node;
      if (!order.has(target)) visits.push(begin(target));
      else if (onStack.has(target)) lower(visit.node, order.get(target) ?? 0);
    }
  }
  return groups;
}
