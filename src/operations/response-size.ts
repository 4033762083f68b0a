import { MAX_RESPONSE_BYTES } from "../budgets.js";

/** Sizes of results that were measured before: cached results are sent again and again. */
const sizes = new WeakMap<object, number>();

/**
 * Takes as many results as a response may hold: at least one, and no more after MAX_RESPONSE_BYTES.
 *
 * @returns The first results, or all of them.
 */
export function takeFitting<Result extends object>(results: readonly Result[]): readonly Result[] {
  let bytes = 0;
  const end = results.findIndex((result, index) => {
    bytes += sizeOf(result);
    return index > 0 && bytes > MAX_RESPONSE_BYTES;
  });
  return end === -1 ? results : results.slice(0, end);
}

/** Estimates the size of a value as JSON in UTF-8, from below for text that is not ASCII. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 5;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  let size = 2;
  for (const [key, member] of Object.entries(value)) size += key.length + 4 + sizeOf(member);
  if (Object.isFrozen(value)) sizes.set(value, size);
  return size;
}
