import { computeSimilarity } from "../../text.js";

/** Minimum similarity of a suggestion, from 0 to 1. */
const MIN_SIMILARITY = 0.5;
/** Maximum length of a compared name, because a document can have names of megabytes. */
const MAX_LENGTH = 60;

/**
 * Returns the name that is most similar to a mistyped name; undefined if none is similar enough, or if the name is one of
 * them and only not allowed in this combination.
 */
export function suggestName(mistyped: string, names: readonly string[]): string | undefined {
  if (mistyped.length > MAX_LENGTH || names.includes(mistyped)) return undefined;
  const [best] = names
    .filter((name) => name.length <= MAX_LENGTH)
    .map((name) => ({ name, similarity: computeSimilarity(mistyped, name) }))
    .filter(({ similarity }) => similarity >= MIN_SIMILARITY)
    .sort((one, other) => other.similarity - one.similarity);
  return best?.name;
}
