/** Maximum number of indexed trigrams of one text. Indexing a text must not delay other requests. */
const MAX_TRIGRAMS = 2000;

/** Trigrams of patterns that are looked up at most. More exclude hardly any further text. */
const MAX_PATTERN_TRIGRAMS = 64;

/** Numbers that stand for the trigrams of a text: three consecutive code points each, hashed with their scope. */
export type Trigrams = ReadonlySet<number>;

/** The numbers to look up for patterns. */
export interface TrigramPattern {
  /** A text that contains the patterns has all of these, unless it has more trigrams than are indexed. */
  readonly all: Trigrams;
  /** Marks the texts that have more trigrams than are indexed. */
  readonly truncated: number;
}

/**
 * Hashes the trigrams of a text.
 *
 * @param scope the set of texts that are searched together: the same trigram has another number in another scope
 * @param text a folded text
 */
export function hashTrigrams(scope: string, text: string): Trigrams {
  const seed = hashText(scope);
  const trigrams = new Set<number>();
  for (const trigram of eachTrigram(seed, text)) {
    trigrams.add(trigram);
    if (trigrams.size < MAX_TRIGRAMS) continue;
    trigrams.add(truncatedMark(seed));
    break;
  }
  return trigrams;
}

/**
 * Hashes the trigrams of patterns.
 *
 * @param scope see hashTrigrams
 * @param patterns folded texts
 * @returns undefined when all patterns have fewer than three code points
 */
export function hashPatterns(scope: string, patterns: readonly string[]): TrigramPattern | undefined {
  const seed = hashText(scope);
  const all = new Set<number>();
  for (const pattern of patterns) {
    for (const trigram of eachTrigram(seed, pattern)) {
      if (all.size === MAX_PATTERN_TRIGRAMS) break;
      all.add(trigram);
    }
  }
  return all.size === 0 ? undefined : { all, truncated: truncatedMark(seed) };
}

function* eachTrigram(seed: number, text: string): Generator<number> {
  let [first, second]: [number | undefined, number | undefined] = [undefined, undefined];
  for (const character of text) {
    const third = character.codePointAt(0) ?? 0;
    if (first !== undefined && second !== undefined) yield mix(mix(mix(seed, first), second), third);
    [first, second] = [second, third];
  }
}

function truncatedMark(seed: number): number {
  return mix(seed, -1);
}

function hashText(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index += 1) hash = mix(hash, text.charCodeAt(index));
  return hash;
}

/** One step of MurmurHash3 with its 32-bit finalizer, so that similar trigrams get unrelated numbers. */
function mix(hash: number, value: number): number {
  let mixed = Math.imul(hash ^ value, 0xcc9e2d51) + 0x9e3779b9;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
