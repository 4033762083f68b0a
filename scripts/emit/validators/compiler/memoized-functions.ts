import { findStronglyConnectedComponents } from "../../../strongly-connected-components.js";
import { getRequired } from "../../../maps.js";
import { createReachabilityTest, walkGraph } from "../../../walk-graph.js";
import { ALL_TYPES, getPossibleTypes, type JsonType } from "../../../model/schema/json-types.js";
import type { CheckFunction, FunctionCall } from "./context.js";

/** When a function remembers its results. */
export type Memoization = "always" | "while collecting errors" | "shared";

/**
 * Finds the functions that remember their results: those that could check a nested value several times, once for each of
 * several calls for the enclosing value. In a recursive schema, each level of a value would multiply the time.
 *
 * @param recursive the number of its cycle, for each function that can reach itself with the same value
 */
export function findMemoizedFunctions(
  functions: readonly CheckFunction[],
  recursive: ReadonlyMap<CheckFunction, number>,
): ReadonlyMap<CheckFunction, Memoization> {
  const find = (includesReports: boolean): ReadonlySet<CheckFunction> =>
    findRepeatedFunctions(functions, recursive, includesReports);
  return new Map<CheckFunction, Memoization>([
    ...Array.from(find(true), (each) => [each, "while collecting errors"] as const),
    ...Array.from(find(false), (each) => [each, "always"] as const),
    ...Array.from(findSharedFunctions(functions, recursive), (each) => [each, "shared"] as const),
  ]);
}

function findRepeatedFunctions(
  functions: readonly CheckFunction[],
  recursive: ReadonlyMap<CheckFunction, number>,
  includesReports: boolean,
): ReadonlySet<CheckFunction> {
  const cycles = findStronglyConnectedComponents(functions, listCalled);
  const leadsToCycle = createReachabilityTest(listCalled, (each: CheckFunction) => cycles.has(each));
  const repeating = functions.filter((caller) => {
    const cycle = cycles.get(caller);
    if (cycle === undefined) return false;
    const calls = caller.calls.filter(
      ({ called, isReport }) => leadsToCycle(called) && (includesReports || !isReport),
    );
    return calls.some(
      (call) =>
        cycles.get(call.called) === cycle &&
        calls.some((other) => other !== call && canCheckSameValue(call, other)),
    );
  });
  const nestedCalls = [...walkGraph(repeating, listCalled)].flatMap(({ calls }) =>
    calls.filter(({ called, path }) => path.length > 0 && cycles.has(called)),
  );
  const repeated = nestedCalls.map(({ called }) => called);
  // `checkOnce` must know that another function of the cycle is checking the same value.
  const recursiveCycles = new Set(repeated.map((each) => recursive.get(each)));
  const others = functions.filter((each) => recursive.has(each) && recursiveCycles.has(recursive.get(each)));
  return new Set([...repeated, ...others]);
}

function listCalled({ calls }: CheckFunction): Set<CheckFunction> {
  return new Set(calls.map(({ called }) => called));
}

/** Whether two calls of a function can check the same value, or values of which one contains the other. */
function canCheckSameValue(one: FunctionCall, other: FunctionCall): boolean {
  for (const [tag, branch] of one.branches) if ((other.branches.get(tag) ?? branch) !== branch) return false;
  const differ = one.path.some((step, index) => {
    const otherStep = other.path[index];
    return typeof step === "string" && typeof otherStep === "string" && step !== otherStep;
  });
  if (differ) return false;
  if (one.path.length !== other.path.length) return true;
  const types = getTypes(other);
  return [...getTypes(one)].some((type) => (type === "object" || type === "array") && types.has(type));
}

function getTypes({ called: { schema } }: FunctionCall): ReadonlySet<JsonType> {
  return schema ? getPossibleTypes(schema) : ALL_TYPES;
}

/** Maximum number of calls for a value that lead to a function which does not remember its results. */
const MAX_CALLS = 100;

/**
 * Finds the functions that remember their results because very many calls for the same value can lead to them: each of a chain of
 * schemas that contain the next one twice doubles their number.
 *
 * @param recursive the functions that can reach themselves with the same value
 */
function findSharedFunctions(
  functions: readonly CheckFunction[],
  recursive: ReadonlyMap<CheckFunction, unknown>,
): ReadonlySet<CheckFunction> {
  const listCalledInPlace = ({ calls }: CheckFunction): CheckFunction[] =>
    calls
      .filter(({ path, isReport, called }) => path.length === 0 && !isReport && !recursive.has(called))
      .map(({ called }) => called);
  const callCounts = new Map(functions.map((each) => [each, 0]));
  /** Numbers of calls in the code that have not been counted yet. */
  const pendingCalls = new Map(callCounts);
  const add = (counts: Map<CheckFunction, number>, key: CheckFunction, count: number): number => {
    const sum = getRequired(counts, key) + count;
    counts.set(key, sum);
    return sum;
  };
  for (const called of functions.flatMap(listCalledInPlace)) add(pendingCalls, called, 1);
  const ready = functions.filter((each) => pendingCalls.get(each) === 0);
  for (const caller of ready)
    for (const called of listCalledInPlace(caller)) {
      add(callCounts, called, Math.max(1, getRequired(callCounts, caller)));
      if (add(pendingCalls, called, -1) === 0) ready.push(called);
    }
  return new Set(functions.filter((each) => getRequired(callCounts, each) > MAX_CALLS));
}
