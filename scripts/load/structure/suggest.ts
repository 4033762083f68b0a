/** Largest share of letters that may differ in a suggestion. */
const MAX_DIFFERENCE = 0.5;
/** Longer names are not compared: the time grows with the square of their length. */
const MAX_LENGTH = 60;

/** The name that a mistyped one is most like; undefined when none is close. */
export function suggestName(mistyped: string, names: readonly string[]): string | undefined {
  if (mistyped.length > MAX_LENGTH) return undefined;
  const [best] = names
    .map((name) => ({ name, share: editDistance(mistyped, name) / Math.max(mistyped.length, name.length) }))
    .filter(({ share }) => share <= MAX_DIFFERENCE)
    .sort((one, other) => one.share - other.share);
  return best?.name;
}

/** Levenshtein distance of two names, without regard to case. */
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
