import type { Condition, Operation } from "./model.js";
import { composed } from "./schema/composition.js";
import type { Schema } from "./schema/schema.js";
import { pathnameOf, queryMembers } from "./route.js";

/**
 * Operations whose paths differ in names, a query string or a fragment alone are one request to a router. Finds what
 * tells each from the others: parameters that it must have, and that can have one value only.
 *
 * @param operations is changed: those that share a route get their `when`
 * @param report is called for each operation that nothing tells from an earlier one
 */
export function tellApart(
  operations: readonly Operation[],
  report: (operation: Operation, earlier: Operation) => void,
): void {
  for (const group of groupByRoute(operations)) {
    if (group.length < 2) continue;
    const all = new Map(group.map((operation) => [operation, conditionsOf(operation)]));
    const lists = [...all.values()];
    for (const [operation, conditions] of all) {
      // Conditions that all operations share do not distinguish them.
      operation.when = conditions.filter(
        (condition) => !lists.every((list) => list.some((other) => keyOf(other) === keyOf(condition))),
      );
    }
    const seen = new Map<string, Operation>();
    for (const operation of group) {
      const key = operation.when.map(keyOf).sort().join("\n");
      const earlier = seen.get(key);
      if (earlier) report(operation, earlier);
      else seen.set(key, operation);
    }
  }
}

function groupByRoute(operations: readonly Operation[]): Iterable<Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const route = `${operation.method} ${pathnameOf(operation.path).replace(/\{[^}]*\}/g, "{}")}`;
    const group = groups.get(route);
    if (group) group.push(operation);
    else groups.set(route, [operation]);
  }
  return groups.values();
}

/** The parameters that an operation must have, with their value where it can be one only. */
function conditionsOf(operation: Operation): Condition[] {
  const found: Condition[] = queryMembers(operation.path).flatMap((member) =>
    "value" in member ? [{ in: "query", name: member.name, value: member.value }] : [],
  );
  for (const { in: location, name, required, type, schema } of operation.parameters) {
    if (!required || (location !== "query" && location !== "header")) continue;
    if (found.some((condition) => condition.in === location && condition.name === name)) continue;
    // The members of an object stand in the query under names of their own.
    if (type === "object") continue;
    const value = type === "array" || type === "json" || !schema ? undefined : onlyValue(schema);
    found.push({ in: location, name, ...(value === undefined ? {} : { value }) });
  }
  return found;
}

/** The text of the only value that a schema allows; undefined when it allows others. */
function onlyValue(schema: Schema): string | undefined {
  for (const { listedValues } of schema.unions.length > 0 ? [schema] : composed(schema)) {
    const [value, ...others] = listedValues ?? [];
    if (others.length > 0 || value === null || value === undefined || typeof value === "object") continue;
    return String(value);
  }
  return undefined;
}

function keyOf({ in: location, name, value }: Condition): string {
  return JSON.stringify([location, location === "header" ? name.toLowerCase() : name, value ?? null]);
}
