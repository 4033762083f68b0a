/** Maximum edit distance of a suggestion, relative to the length of the longer name. */
const MAX_DIFFERENCE = 0.5;
/** Maximum length of names in characters, because the time grows with the square of the length. */
const MAX_LENGTH = 60;

/**
 * Returns the name that is most similar to a mistyped name; undefined if none is similar enough, or if the name is one of
 * them and only not allowed in this combination.
 */
export function suggestName(mistyped: string, names: readonly string[]): string | undefined {
  if (mistyped.length > MAX_LENGTH || names.includes(mistyped)) return undefined;
  const [best] = names
    .map((name) => ({
      name,
      relativeDistance: editDistance(mistyped, name) / Math.max(mistyped.length, name.length),
    }))
    .filter(({ relativeDistance }) => relativeDistance <= MAX_DIFFERENCE)
    .sort((one, other) => one.relativeDistance - other.relativeDistance);
  return best?.name;
}

/** Computes the case-insensitive Levenshtein distance of two names. */
function editDistance(one: string, other: string): number {
  const [from, to] = [one.toLowerCase(), other.toLowerCase()];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 0; i < from.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j += 1) {
      const replaced = (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
