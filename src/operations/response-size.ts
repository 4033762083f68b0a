import { MAX_RESPONSE_BYTES } from "../budgets.js";

/** Measured sizes of results, because cached results are sent repeatedly. */
const sizes = new WeakMap<object, number>();

/**
 * Returns as many results as fit into a response: at least one, and none after MAX_RESPONSE_BYTES.
 *
 * @returns The first results, or all of them.
 */
export function takeFitting<Result extends object>(results: readonly Result[]): readonly Result[] {
  let bytes = 0;
  const end = results.findIndex((result, index) => {
    bytes += estimateSize(result);
    return index > 0 && bytes > MAX_RESPONSE_BYTES;
  });
  return end === -1 ? results : results.slice(0, end);
}

/** Estimates the size of a value as JSON in UTF-8; too low for text that is not ASCII. */
function estimateSize(value: unknown): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 5;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  let size = 2;
  for (const [key, member] of Object.entries(value)) size += key.length + 4 + estimateSize(member);
  if (Object.isFrozen(value)) sizes.set(value, size);
  return size;
}
