/** Minimum similarity of two names for one to count as the other's new name. */
const MIN_SIMILARITY = 0.6;
/** Limit of comparisons: the result is meaningless when hundreds of names changed at once. */
const MAX_COMPARISONS = 10_000;

/**
 * Pairs orphaned handlers with operations that have no handler yet: the only one with the only one, otherwise the most
 * similar names first. Omits names without a likely partner.
 */
export function likelyRenames(orphans: string[], open: string[]): Map<string, string> {
  if (orphans.length === 1 && open.length === 1) return new Map(orphans.map((from) => [from, open.join("")]));
  const renames = new Map<string, string>();
  if (orphans.length * open.length > MAX_COMPARISONS) return renames;
  const pairs = orphans
    .flatMap((from) => open.map((to) => ({ from, to, score: similarity(from, to) })))
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

/** Share of the words (Dice coefficient) or of the letter pairs that two names have in common, whichever is larger. */
function similarity(one: string, other: string): number {
  return Math.max(dice(wordsOf(one), wordsOf(other)), dice(bigramsOf(one), bigramsOf(other)));
}

function dice(one: Set<string>, other: Set<string>): number {
  const shared = [...one].filter((item) => other.has(item)).length;
  return (2 * shared) / (one.size + other.size || 1);
}

function wordsOf(name: string): Set<string> {
  return new Set((name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []).map((word) => word.toLowerCase()));
}

function bigramsOf(name: string): Set<string> {
  return new Set(
    [...name.toLowerCase()].map((letter, index, letters) => `${letters[index - 1] ?? ""}${letter}`),
  );
}
