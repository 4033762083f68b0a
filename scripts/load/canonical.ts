import { compareText } from "../diagnostic.js";
import { MAX_DEPTH } from "./limits.js";
import { isObject } from "./pointer.js";

/** What a reader looks for first, in the order in which documents are customarily written. */
const ROOT = ["openapi", "$self", "jsonSchemaDialect", "info", "servers", "security", "tags", "paths"];

/**
 * Puts the keys of every object of a parsed file into an order of their own, so that nothing that is made from the
 * document depends on the order in which it was written. The order is that of the code units, but for the root's
 * members; arrays keep theirs.
 *
 * @param parsed what the parser gave, aliases of YAML and all; objects in another order are replaced by copies
 */
export function inCanonicalOrder(parsed: unknown): unknown {
  const done = new Map<object, object>();

  function sort(node: object, depth: number): object {
    const known = done.get(node);
    if (known) return known;
    // Too deep to be used, which is reported later; here it must only not run out of stack.
    if (depth > MAX_DEPTH) return node;
    const order = depth === 1 ? compareRootKeys : compareText;
    // The cast: an array or a plain object, read and written by its own keys alone.
    const result = (Array.isArray(node) ? node : withSortedKeys(node, order)) as Record<string, unknown>;
    // Before what is in it: an alias may lead back here.
    done.set(node, result);
    for (const key of Object.keys(result)) {
      const value = result[key];
      if (typeof value !== "object" || value === null) continue;
      const sorted = sort(value, depth + 1);
      if (sorted !== value) setOwn(result, key, sorted);
    }
    return result;
  }

  return typeof parsed === "object" && parsed !== null ? sort(parsed, 1) : parsed;
}

/**
 * Brings the components of a bundled document into the same order: bundling has added to them.
 * @param document is changed; the components themselves stay the objects that they are
 */
export function sortComponents(document: Record<string, unknown>): void {
  const { components } = document;
  if (!isObject(components)) return;
  const maps = Object.entries(components).map(([name, map]): [string, unknown] => [
    name,
    isObject(map) ? withSortedKeys(map, compareText) : map,
  ]);
  document["components"] = withSortedKeys(Object.fromEntries(maps), compareText);
}

/** The object itself when its keys are in order, otherwise a copy in which they are. */
function withSortedKeys(node: object, order: (a: string, b: string) => number): object {
  const keys = Object.keys(node);
  if (keys.every((key, index) => index === 0 || order(keys[index - 1] ?? "", key) <= 0)) return node;
  const sorted: Record<string, unknown> = {};
  // The cast: its own keys alone are read.
  for (const key of keys.sort(order)) setOwn(sorted, key, (node as Record<string, unknown>)[key]);
  return sorted;
}

/** `__proto__` stays a key like any other; the inspection refuses it, with its place. */
function setOwn(node: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(node, key, { value, enumerable: true, configurable: true, writable: true });
  else node[key] = value;
}

function compareRootKeys(one: string, other: string): number {
  return rankOf(one) - rankOf(other) || compareText(one, other);
}

function rankOf(key: string): number {
  const rank = ROOT.indexOf(key);
  return rank === -1 ? ROOT.length : rank;
}
