/** Minimum similarity of two names to suggest that a handler was renamed, from 0 to 1. */
const MIN_SIMILARITY = 0.6;
/** Maximum number of comparisons. Suggestions are meaningless when hundreds of names have changed. */
const MAX_COMPARISONS = 10_000;

/**
 * Finds the likely new names of orphaned handlers among the operations without a handler. The most similar names are
 * paired first.
 *
 * @param missing names of the operations without a handler
 * @returns new names by old name; handlers without a likely new name are omitted
 */
export function pairSimilarNames(orphans: string[], missing: string[]): Map<string, string> {
  const renames = new Map<string, string>();
  if (orphans.length * missing.length > MAX_COMPARISONS) return renames;
  const pairs = orphans
    .flatMap((from) => missing.map((to) => ({ from, to, score: computeSimilarity(from, to) })))
    .filter(({ score }) => score >= MIN_SIMILARITY)
    .sort((one, other) => other.score - one.score);
  const used = new Set<string>();
  for (const { from, to } of pairs) {
    if (renames.has(from) || used.has(to)) continue;
    renames.set(from, to);
    used.add(to);
  }
  return renames;
}

/** Computes the Dice coefficient of the letter pairs of two names, ignoring case. */
function computeSimilarity(one: string, other: string): number {
  const [pairs, others] = [listLetterPairs(one), listLetterPairs(other)];
  const shared = [...pairs].filter((pair) => others.has(pair)).length;
  return (2 * shared) / (pairs.size + others.size || 1);
}

/** Lists the pairs of adjacent letters. The first letter also counts on its own, so that a common beginning adds weight. */
function listLetterPairs(name: string): Set<string> {
  const letters = [...name.toLowerCase()];
  return new Set(letters.map((letter, index) => `${letters[index - 1] ?? ""}${letter}`));
}
