/** Minimum similarity of two names for one to count as the other's new name. */
const MIN_SIMILARITY = 0.6;
/** Limit of comparisons: the result is meaningless when hundreds of names changed at once. */
const MAX_COMPARISONS = 10_000;

/**
 * Pairs orphaned handlers with operations that have no handler yet: the only one with the only one, otherwise the most
 * similar names first. Omits names without a likely partner.
 */
export function pairSimilarNames(orphans: string[], open: string[]): Map<string, string> {
  if (orphans.length === 1 && open.length === 1) return new Map(orphans.map((from) => [from, open.join("")]));
  const renames = new Map<string, string>();
  if (orphans.length * open.length > MAX_COMPARISONS) return renames;
  const pairs = orphans
    .flatMap((from) => open.map((to) => ({ from, to, score: rateSimilarity(from, to) })))
    .filter(({ score }) => score >= MIN_SIMILARITY)
    .sort((one, other) => other.score - one.score);
  const taken = new Set<string>();
  for (const { from, to } of pairs) {
    if (renames.has(from) || taken.has(to)) continue;
    renames.set(from, to);
    taken.add(to);
  }
  return renames;
}

/** Share of the pairs of letters that two names have in common (Dice coefficient). */
function rateSimilarity(one: string, other: string): number {
  const [pairs, others] = [listLetterPairs(one), listLetterPairs(other)];
  const shared = [...pairs].filter((pair) => others.has(pair)).length;
  return (2 * shared) / (pairs.size + others.size || 1);
}

function listLetterPairs(name: string): Set<string> {
  return new Set([...name.toLowerCase()].map((letter, at, letters) => `${letters[at - 1] ?? ""}${letter}`));
}
