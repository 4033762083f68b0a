import { getOrCreate } from "./maps.js";

/** Characters that every document may stand for once aliases and `$ref`s are followed. */
export const MIN_EXPANSION_LIMIT = 4_000_000;

/**
 * Returns the maximum number of characters that a document may stand for once aliases and `$ref`s are followed, because a few lines
 * can stand for billions. The operations of large public documents stand for at most twice as many characters as the document has.
 *
 * @param written number of characters as they are written
 */
export function limitExpansion(written: number): number {
  return Math.max(MIN_EXPANSION_LIMIT, 10 * written);
}

/**
 * Creates a function that counts the characters in the names and texts of a value, and one for each other value. A value that
 * occurs several times counts each time, but is visited only once.
 *
 * @param list lists the members that count
 */
export function createMeasure(
  list: (value: object) => readonly [name: string, member: unknown][] = Object.entries,
): (value: unknown) => number {
  const sizes = new Map<object, number>();
  const measure = (value: unknown): number => {
    if (typeof value === "string") return value.length;
    if (typeof value !== "object" || value === null) return 1;
    const sum = (): number =>
      list(value).reduce((size, [name, member]) => size + name.length + measure(member), 0);
    return getOrCreate(sizes, value, sum);
  };
  return measure;
}
