import type { JsonValue } from "../../model/model.js";
import { type Node, isObject } from "../../model/node.js";

/** The schemas that a schema cannot be written without, by pointer. */
export interface Needs {
  /** Those that judge the same value, all of them: a reference, `allOf`. */
  all: Set<string>;
  /** Those that judge the same value, one of them: `oneOf`, `anyOf`. */
  one: Set<string>;
  /** Those that judge the items of a list. */
  items: Set<string>;
}

/**
 * What a schema cannot be written without, other than as the property of an object: TypeScript looks at those only
 * when asked.
 */
export function needsOf(schema: JsonValue, resolve: (ref: string) => Node | undefined): Needs {
  const needs: Needs = { all: new Set(), one: new Set(), items: new Set() };
  const visit = (each: JsonValue, found: keyof Needs): void => {
    if (!isObject(each)) return;
    const target = typeof each.$ref === "string" ? resolve(each.$ref) : undefined;
    if (target) needs[found].add(target.pointer);
    for (const member of listOf(each.allOf)) visit(member, found);
    const both = each.then !== undefined && each.else !== undefined ? [each.then, each.else] : [];
    for (const member of [each.anyOf, each.oneOf, both].flatMap(listOf)) {
      visit(member, found === "items" ? "items" : "one");
    }
    for (const member of [each.items, each.prefixItems, each.additionalItems].flatMap(listOf)) {
      visit(member, "items");
    }
  };
  visit(schema, "all");
  return needs;
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/**
 * The groups of nodes that lead to each other, by Tarjan's algorithm; a node that leads to nothing that leads back is
 * in none.
 */
export function circles(nodes: Iterable<string>, next: (node: string) => Iterable<string>): string[][] {
  const numbers = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const groups: string[][] = [];
  const number = (map: Map<string, number>, node: string): number => map.get(node) ?? 0;

  const visit = (node: string): void => {
    numbers.set(node, numbers.size);
    lowest.set(node, number(numbers, node));
    open.push(node);
    isOpen.add(node);
    let toItself = false;
    for (const target of next(node)) {
      toItself ||= target === node;
      if (!numbers.has(target)) visit(target);
      else if (!isOpen.has(target)) continue;
      lowest.set(node, Math.min(number(lowest, node), number(lowest, target)));
    }
    if (lowest.get(node) !== numbers.get(node)) return;
    const group: string[] = [];
    for (let last = open.pop(); last !== undefined; last = last === node ? undefined : open.pop()) {
      isOpen.delete(last);
      group.push(last);
    }
    if (group.length > 1 || toItself) groups.push(group);
  };
  for (const node of nodes) if (!numbers.has(node)) visit(node);
  return groups;
}
