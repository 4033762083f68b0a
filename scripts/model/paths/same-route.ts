import { groupBy } from "../../maps.js";
import type { BuildContext } from "../context.js";
import type { Condition, Operation } from "../model.js";
import { isListType, isObjectType } from "../parameters/value-type.js";
import { listConjuncts } from "../schema/composition.js";
import type { Schema } from "../schema/schema.js";
import { createExactPattern, encodeLiteral, extractPathname, parseTemplateQuery } from "./route.js";
import { walkGraph } from "../../walk-graph.js";

/**
 * Adds to operations that a router cannot distinguish the required parameters that select them, as conditions. Reports an operation
 * whose conditions are those of an earlier one.
 */
export function distinguishOperations(operations: readonly Operation[], context: BuildContext): Operation[] {
  const conditionsByOperation = new Map<Operation, readonly Condition[]>();
  for (const group of groupBy(
    operations,
    ({ method, path }) => `${method} ${normalizePath(path)}`,
  ).values()) {
    if (group.length < 2) continue;
    const keysOfEach = group.map((operation) => new Set(listConditions(operation).map(formatConditionKey)));
    const seen = new Map<string, Operation>();
    for (const operation of group) {
      // Conditions that all operations share do not distinguish them.
      const distinguishing = listConditions(operation).filter(
        (condition) => !keysOfEach.every((keys) => keys.has(formatConditionKey(condition))),
      );
      conditionsByOperation.set(operation, distinguishing);
      const key = distinguishing.map(formatConditionKey).sort().join("\n");
      const earlier = seen.get(key);
      if (earlier)
        context.warn(
          operation.pointer,
          `Requests for ${formatTitle(operation)} cannot be distinguished from those for ${formatTitle(earlier)}, whose handler gets both. Give each operation a different path, or a required query or header parameter.`,
        );
      else seen.set(key, operation);
    }
  }
  return operations.map((operation) => ({
    ...operation,
    conditions: conditionsByOperation.get(operation) ?? [],
  }));
}

function formatTitle({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`;
}

/**
 * Gives an exact pattern to each path that differs from another only in what Express ignores by default: letter case and slashes at the
 * end. Reports those for which there is no pattern.
 */
export function distinguishSimilarPaths(
  operations: readonly Operation[],
  context: BuildContext,
): Operation[] {
  // A router gives a HEAD request to a route for GET.
  const groups = groupBy(
    operations,
    ({ method, path }) => `${method === "head" ? "get" : method} ${normalizeLoosely(path)}`,
  );
  const patterns = new Map<Operation, string>();
  for (const group of groups.values()) {
    for (const operation of group) {
      const similar = group.find(({ path }) => normalizePath(path) !== normalizePath(operation.path));
      if (!similar || operation.routePattern !== undefined) continue;
      const pattern = createExactPattern(operation.path);
      if (pattern !== undefined) patterns.set(operation, pattern);
      else
        context.warn(
          operation.pointer,
          `${operation.path} differs from ${similar.path} only in letter case or slashes at the end, which Express ignores by default; create the router with \`caseSensitive: true\` and \`strict: true\`, or use only letters and digits in the names of its parameters`,
        );
    }
  }
  return operations.map((operation) => ({
    ...operation,
    routePattern: patterns.get(operation) ?? operation.routePattern,
  }));
}

/** Reduces a path to what a strict router compares: encoded text, no parameter names, query string or fragment. */
function normalizePath(path: string): string {
  return extractPathname(path)
    .split(/\{[^}]*\}/)
    .map(encodeLiteral)
    .join("{}");
}

/** Reduces a path to what Express compares by default: no letter case and no slashes at the end either. */
export function normalizeLoosely(path: string): string {
  return normalizePath(path).toLowerCase().replace(/\/+$/, "");
}

/** Lists the required query and header parameters of an operation, each with its value if only one is possible. */
function listConditions(operation: Operation): Condition[] {
  const conditions: Condition[] = parseTemplateQuery(operation.path).flatMap((member) =>
    "value" in member ? [{ in: "query", name: member.name, value: member.value }] : [],
  );
  for (const { in: location, name, required, type, schema } of operation.parameters) {
    if (!required || (location !== "query" && location !== "header")) continue;
    if (conditions.some((condition) => condition.in === location && condition.name === name)) continue;
    // An exploded object is sent under the names of its members.
    if (isObjectType(type)) continue;
    const value = isListType(type) || type === "json" || !schema ? undefined : findOnlyValue(schema);
    conditions.push({ in: location, name, ...(value === undefined ? {} : { value }) });
  }
  return conditions;
}

/** Returns the text of the only value that a schema allows; undefined if it allows others. */
function findOnlyValue(schema: Schema): string | undefined {
  for (const { listedValues } of walkGraph([schema], listConjuncts)) {
    const [value, ...others] = listedValues ?? [];
    if (others.length > 0 || value === undefined || typeof value === "object") continue;
    return String(value);
  }
  return undefined;
}

function formatConditionKey({ in: location, name, value }: Condition): string {
  return JSON.stringify([location, location === "header" ? name.toLowerCase() : name, value ?? null]);
}
