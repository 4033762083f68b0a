import { findStronglyConnectedComponents } from "../../../strongly-connected-components.js";
import { ALL_TYPES, getPossibleTypes } from "../../../model/schema/json-types.js";
import type { CheckFunction } from "./context.js";
import { areDisjoint } from "./union-tags.js";

/**
 * Finds the functions that must remember their results, because several branches of a union would check the same nested value with
 * them. In a recursive schema, each level of a value would multiply the time.
 *
 * @param recursive the number of its cycle, for each function that can reach itself with the same value
 */
export function findRememberedFunctions(
  functions: readonly CheckFunction[],
  recursive: ReadonlyMap<CheckFunction, number>,
): ReadonlySet<CheckFunction> {
  const cycles = findStronglyConnectedComponents(functions, listCalls);
  const listCallsInCycle = (caller: CheckFunction): CheckFunction[] => {
    const cycle = cycles.get(caller);
    return cycle === undefined ? [] : listCalls(caller).filter((called) => cycles.get(called) === cycle);
  };
  const repeating = functions.filter((caller) => {
    const called = listCallsInCycle(caller);
    const tested = called.filter((each) => caller.tests.has(each));
    // A test of the same value can also repeat what other calls check.
    const overlapping = tested.some((each) => caller.sameValueCalls.has(each)) ? called : tested;
    // A value has one type, so only one of several functions for different types checks its nested values.
    return !areDisjoint(overlapping.map(({ schema }) => (schema ? getPossibleTypes(schema) : ALL_TYPES)));
  });
  const repeatingCycles = new Set(repeating.map((caller) => cycles.get(caller)));
  const repeated = functions
    .filter((caller) => repeatingCycles.has(cycles.get(caller)))
    .flatMap((caller) => listCallsInCycle(caller).filter((called) => caller.nestedCalls.has(called)));
  // `checkOnce` must know that another function of the cycle is checking the same value.
  const recursiveCycles = new Set(repeated.map((each) => recursive.get(each)));
  const others = functions.filter((each) => recursive.has(each) && recursiveCycles.has(recursive.get(each)));
  return new Set([...repeated, ...others]);
}

function listCalls({ sameValueCalls, nestedCalls }: CheckFunction): CheckFunction[] {
  return [...new Set([...sameValueCalls, ...nestedCalls])];
}
