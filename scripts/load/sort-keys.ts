import { compareText } from "../text.js";
import { MAX_NESTING } from "./limits.js";

/** Keys of the root object in their conventional order. */
const ROOT_KEY_ORDER = "openapi $self jsonSchemaDialect info servers security tags paths".split(" ");

/**
 * Sorts the keys of every object of a parsed file, so that the output does not depend on their order in the document. Keys are compared by
 * code unit, except those of the root. Unsorted objects are replaced by copies, once for all YAML aliases.
 */
export function sortKeys(parsed: unknown): unknown {
  const sortedNodes = new Map<object, object>();

  function sort(node: object, depth: number): object {
    const existing = sortedNodes.get(node);
    if (existing) return existing;
    // Stops before the stack overflows. The inspection of the file reports the depth.
    if (depth > MAX_NESTING) return node;
    const order = depth === 1 ? compareRootKeys : compareText;
    // Safe cast: only own keys of the array or plain object are read and written.
    const result = (Array.isArray(node) ? node : sortMembers(node, order)) as Record<string, unknown>;
    // Registered before its members are visited, because an alias can refer to an ancestor.
    sortedNodes.set(node, result);
    for (const key of Object.keys(result)) {
      const value = result[key];
      if (typeof value !== "object" || value === null) continue;
      const sorted = sort(value, depth + 1);
      // Defined, so that `__proto__` stays an own member, which the inspection reports with its location.
      if (sorted !== value) Object.defineProperty(result, key, { value: sorted });
    }
    return result;
  }

  return typeof parsed === "object" && parsed !== null ? sort(parsed, 1) : parsed;
}

/** Returns the object itself if its keys are sorted, otherwise a sorted copy. */
function sortMembers(node: object, order: (a: string, b: string) => number): object {
  const keys = Object.keys(node);
  if (keys.every((key, index) => index === 0 || order(keys[index - 1] ?? "", key) <= 0)) return node;
  // Safe cast: only own keys are read.
  return Object.fromEntries(keys.sort(order).map((key) => [key, (node as Record<string, unknown>)[key]]));
}

function compareRootKeys(one: string, other: string): number {
  return rankKey(one) - rankKey(other) || compareText(one, other);
}

function rankKey(key: string): number {
  const rank = ROOT_KEY_ORDER.indexOf(key);
  return rank === -1 ? ROOT_KEY_ORDER.length : rank;
}
