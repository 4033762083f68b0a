/** A recursive call as a generator. It yields its inner calls, and `yield` returns their results. */
export interface Recursion<Result> extends Generator<Recursion<Result>, Result, Result> {}

/** Runs a recursive generator function with a list of calls instead of the call stack, which deep recursion would overflow. */
export function runRecursion<Result>(call: Recursion<Result>): Result {
  const callers: Recursion<Result>[] = [];
  let current = call;
  let step = current.next();
  for (;;) {
    if (!step.done) {
      callers.push(current);
      current = step.value;
      step = current.next();
      continue;
    }
    const caller = callers.pop();
    if (!caller) return step.value;
    current = caller;
    step = current.next(step.value);
  }
}
