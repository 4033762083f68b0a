import { getOrCreate } from "../../../maps.js";
import type { CheckFunction } from "./context.js";

/** Maximum number of calls for one value, of all functions that call each other for it. Real documents have some hundred. */
const MAX_CALLS = 10_000_000;

/**
 * Finds a function that calls itself through others for the same value in too many ways. A nested call of a running function ends at
 * once, so the number of calls is that of the paths through the functions: the factorial of the number of unions of each other.
 *
 * @param recursive the number of its cycle, for each function that can reach itself with the same value
 */
export function findExcessiveRecursion(
  recursive: ReadonlyMap<CheckFunction, number>,
): CheckFunction | undefined {
  const successors = new Map<CheckFunction, readonly CheckFunction[]>();
  const roots = new Map(Array.from(recursive, ([each, cycle]) => [cycle, each]));
  let callCount = 0;
  for (const root of roots.values()) {
    const running = new Set<CheckFunction>();
    // A stack replaces recursion, which would overflow on long chains. A function is on it again while its calls are counted.
    const pending = [{ called: root, isEnd: false }];
    for (let next = pending.pop(); next; next = pending.pop()) {
      const { called, isEnd } = next;
      if (isEnd) running.delete(called);
      else callCount += 1;
      if (callCount > MAX_CALLS) return root;
      if (isEnd || running.has(called)) continue;
      running.add(called);
      pending.push({ called, isEnd: true });
      for (const each of getOrCreate(successors, called, () => listMutualCalls(called, recursive)))
        pending.push({ called: each, isEnd: false });
    }
  }
  return undefined;
}

/** Lists the functions of its cycle that a function calls for the same value, except branches of which a tag selects one. */
function listMutualCalls(
  caller: CheckFunction,
  recursive: ReadonlyMap<CheckFunction, number>,
): readonly CheckFunction[] {
  const calls = caller.calls.filter(
    ({ called, path, branches, isReport }) =>
      path.length + branches.size === 0 && !isReport && recursive.get(called) === recursive.get(caller),
  );
  return calls.map(({ called }) => called);
}
