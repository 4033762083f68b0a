/** Computes the similarity of two names from 0 to 1: that of their letter pairs (Dice), ignoring case; 1 for swapped letters. */
function computeSimilarity(one: string, other: string): number {
  if (sortLetters(one) === sortLetters(other)) return 1;
  const [pairs, others] = [listLetterPairs(one), listLetterPairs(other)];
  const shared = [...pairs].filter((pair) => others.has(pair)).length;
  return (2 * shared) / (pairs.size + others.size || 1);
}

function sortLetters(name: string): string {
  return [...name.toLowerCase()].sort().join("");
}

/** Lists the pairs of adjacent letters. The first letter also counts on its own, so that a common beginning adds weight. */
function listLetterPairs(name: string): Set<string> {
  const letters = [...name.toLowerCase()];
  return new Set(letters.map((letter, index) => `${letters[index - 1] ?? ""}${letter}`));
}

const MIN_SIMILARITY = 0.5;
/** Maximum length of a compared name, because a document can have names of megabytes. */
const MAX_LENGTH = 60;

/** Maximum number of names that are compared for mistakes that a hostile document can repeat any number of times. */
export const MAX_COMPARED_NAMES = 10;

/** Returns the name that is most similar to a mistyped one; undefined if none is, or if the name itself is among them. */
export function suggestName(
  mistyped: string,
  names: readonly string[],
  maxNames = 2_000,
): string | undefined {
  if (mistyped.length > MAX_LENGTH || names.length > maxNames || names.includes(mistyped)) return undefined;
  const [best] = names
    .filter((name) => name.length <= MAX_LENGTH)
    .map((name) => ({ name, similarity: computeSimilarity(mistyped, name) }))
    .filter(({ similarity }) => similarity >= MIN_SIMILARITY)
    .sort((one, other) => other.similarity - one.similarity);
  return best?.name;
}

/** Compares two texts by code unit, which gives the same order in every locale. */
export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Quotes an argument for a POSIX shell, if it has characters with a meaning there. */
export function quoteShellArgument(argument: string): string {
  return /^[\w./:=@%+,-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}
