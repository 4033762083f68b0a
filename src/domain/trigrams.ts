/** Maximum number of indexed trigrams of one text. Indexing a text must not delay other requests. */
const MAX_TRIGRAMS = 2000;

/** Maximum number of indexed trigrams of a page, except that each text beyond it has one or two more. */
export const MAX_PAGE_TRIGRAMS = 10_000;

/** Maximum number of trigrams that a search looks up. Further ones would exclude hardly any more texts. */
const MAX_PATTERN_TRIGRAMS = 64;

/** Hashed trigrams of a text. A trigram is a sequence of three code points. */
export type Trigrams = ReadonlySet<number>;

/** Hashes to look up for texts that contain all patterns of a search. */
export interface TrigramPattern {
  /** Hashes that each of these texts has, unless it has more trigrams than are indexed. */
  readonly all: Trigrams;
  /** Hash that marks texts with more trigrams than are indexed. */
  readonly truncated: number;
}

/**
 * Hashes the trigrams of a folded text. The scope names a set of texts that are searched together, and is part of each hash.
 * Hashes at most `limit` trigrams, and marks the text if it reaches this limit.
 */
export function hashTrigrams(scope: string, text: string, limit = MAX_TRIGRAMS): Trigrams {
  const seed = hashText(scope);
  const trigrams = new Set<number>();
  for (const trigram of eachTrigram(seed, text)) {
    trigrams.add(trigram);
    if (trigrams.size < Math.min(limit, MAX_TRIGRAMS)) continue;
    trigrams.add(hashTruncatedMark(seed));
    break;
  }
  return trigrams;
}

/** Hashes the trigrams of folded patterns. Returns undefined when all have fewer than three code points. */
export function hashPatterns(scope: string, patterns: readonly string[]): TrigramPattern | undefined {
  const seed = hashText(scope);
  const all = new Set<number>();
  for (const pattern of patterns) {
    for (const trigram of eachTrigram(seed, pattern)) {
      if (all.size === MAX_PATTERN_TRIGRAMS) break;
      all.add(trigram);
    }
  }
  return all.size === 0 ? undefined : { all, truncated: hashTruncatedMark(seed) };
}

function* eachTrigram(seed: number, text: string): Generator<number> {
  let [first, second]: [number | undefined, number | undefined] = [undefined, undefined];
  for (const character of text) {
    const third = character.codePointAt(0) ?? 0;
    if (first !== undefined && second !== undefined)
      yield mixHash(mixHash(mixHash(seed, first), second), third);
    [first, second] = [second, third];
  }
}

function hashTruncatedMark(seed: number): number {
  return mixHash(seed, -1);
}

function hashText(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index += 1) hash = mixHash(hash, text.charCodeAt(index));
  return hash;
}

/** Applies one step of MurmurHash3 with its 32-bit finalizer, so that similar trigrams get unrelated hashes. */
function mixHash(hash: number, value: number): number {
  let mixed = Math.imul(hash ^ value, 0xcc9e2d51) + 0x9e3779b9;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
