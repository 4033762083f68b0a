/** Counts the turns of the event loop until `end` is called. */
export function countTurns(): { readonly current: number; end(): void } {
  let current = 0;
  let next = setImmediate(count);
  function count(): void {
    current += 1;
    next = setImmediate(count);
  }
  return {
    get current() {
      return current;
    },
    end: () => clearImmediate(next),
  };
}
