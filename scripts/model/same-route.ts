import type { Condition, JsonObject, Operation } from "./model.js";
import { type Node, at, deref, isObject } from "./node.js";
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
  document: JsonObject,
  report: (operation: Operation, earlier: Operation) => void,
): void {
  for (const group of groupByRoute(operations)) {
    if (group.length < 2) continue;
    const all = new Map(group.map((operation) => [operation, conditionsOf(operation, document)]));
    const lists = [...all.values()];
    for (const [operation, conditions] of all) {
      // What all of them have tells nothing.
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
function conditionsOf(operation: Operation, document: JsonObject): Condition[] {
  const found: Condition[] = queryMembers(operation.path).flatMap((member) =>
    "value" in member ? [{ in: "query", name: member.name, value: member.value }] : [],
  );
  for (const { in: place, name, required, type, schemaPointer } of operation.parameters) {
    if (!required || (place !== "query" && place !== "header")) continue;
    if (found.some((condition) => condition.in === place && condition.name === name)) continue;
    // The members of an object stand in the query under names of their own.
    if (type === "object") continue;
    const schema = at(document, schemaPointer);
    const value =
      type === "array" || type === "json" ? undefined : onlyValue(schema && deref(document, schema));
    found.push({ in: place, name, ...(value === undefined ? {} : { value }) });
  }
  return found;
}

function onlyValue(schema: Node | undefined): string | undefined {
  if (!schema || !isObject(schema.value)) return undefined;
  const { const: constant, enum: list } = schema.value;
  const value = Array.isArray(list) && list.length === 1 ? list[0] : constant;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined;
}

function keyOf({ in: place, name, value }: Condition): string {
  return JSON.stringify([place, place === "header" ? name.toLowerCase() : name, value ?? null]);
}
