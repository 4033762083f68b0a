/** How alike two names must be for one to be taken for the other's new name. */
const threshold = 0.6;
/** Comparing each with each gets slow, and means nothing, when hundreds of names changed at once. */
const maxComparisons = 10_000;

/**
 * Pairs handlers that lost their operation with operations that have no handler yet: the only one with the
 * only one, else the most alike first. Names without a likely partner are left out.
 */
export function likelyRenames(orphans: string[], open: string[]): Map<string, string> {
  const [orphan] = orphans;
  const [operation] = open;
  if (orphan !== undefined && operation !== undefined && orphans.length === 1 && open.length === 1) {
    return new Map([[orphan, operation]]);
  }
  const renames = new Map<string, string>();
  if (orphans.length * open.length > maxComparisons) return renames;
  const pairs = orphans
    .flatMap((from) => open.map((to) => ({ from, to, score: similarity(from, to) })))
    .filter(({ score }) => score >= threshold)
    .sort((one, other) => other.score - one.score);
  const taken = new Set<string>();
  for (const { from, to } of pairs) {
    if (renames.has(from) || taken.has(to)) continue;
    renames.set(from, to);
    taken.add(to);
  }
  return renames;
}

/** 1 for the same name, 0 for nothing in common: by letters, or by words in whatever order. */
function similarity(one: string, other: string): number {
  const length = Math.max(one.length, other.length);
  if (length === 0) return 1;
  const letters = 1 - editDistance(one.toLowerCase(), other.toLowerCase()) / length;
  const words = wordsOf(one);
  const otherWords = wordsOf(other);
  const shared = [...words].filter((word) => otherWords.has(word)).length;
  return Math.max(letters, (2 * shared) / (words.size + otherWords.size || 1));
}

function wordsOf(name: string): Set<string> {
  return new Set((name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []).map((word) => word.toLowerCase()));
}

/** Levenshtein's distance. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 0; i < one.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j += 1) {
      const replaced = (row[j] ?? 0) + (one[i] === other[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
