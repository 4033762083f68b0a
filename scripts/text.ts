/** Computes the similarity of two names from 0 to 1: the Dice coefficient of their letter pairs, ignoring case. */
export function computeSimilarity(one: string, other: string): number {
  const [pairs, others] = [listLetterPairs(one), listLetterPairs(other)];
  const shared = [...pairs].filter((pair) => others.has(pair)).length;
  return (2 * shared) / (pairs.size + others.size || 1);
}

/** Lists the pairs of adjacent letters. The first letter also counts on its own, so that a common beginning adds weight. */
function listLetterPairs(name: string): Set<string> {
  const letters = [...name.toLowerCase()];
  return new Set(letters.map((letter, index) => `${letters[index - 1] ?? ""}${letter}`));
}

/** Compares two texts by code unit, which gives the same order in every locale. */
export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
