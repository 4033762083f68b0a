/* Hashed trigrams of texts. The text index stores them, so that a change here needs a migration that builds it again. */

/** Maximum number of indexed trigrams of one text. Indexing a text must not delay other requests. */
const MAX_TRIGRAMS = 2000;

/**
 * Bits of a hash. Few, because a GIN index of PostgreSQL keeps each hash for ever, even if no page has it any more. With 32 bits,
 * rewrites of a few pages let it grow without a limit.
 */
const HASH_BITS = 22;

/** Maximum number of trigrams that a search looks up. Further ones would exclude hardly any more texts. */
const MAX_PATTERN_TRIGRAMS = 64;

/** Hashes to look up for texts that contain all patterns of a search. */
interface TrigramPattern {
  /** Hashes that each of these texts has, unless it has the truncation mark. */
  readonly requiredHashes: ReadonlySet<number>;
  /** Hash that marks texts with more trigrams than are indexed. */
  readonly truncationMark: number;
}

/**
 * Hashes the trigrams of a text, which are its sequences of three code points. The text must be folded, see foldText. Texts that are
 * searched together have the same namespace, which is part of each hash. Hashes at most `limit` trigrams, and adds the truncation
 * mark if the text reaches this limit.
 */
export function hashTrigrams(namespace: string, text: string, limit = MAX_TRIGRAMS): ReadonlySet<number> {
  const seed = hashText(namespace);
  const trigrams = new Set<number>();
  for (const trigram of hashEachTrigram(seed, text)) {
    trigrams.add(trigram);
    if (trigrams.size < Math.min(limit, MAX_TRIGRAMS)) continue;
    trigrams.add(hashTruncationMark(seed));
    break;
  }
  return trigrams;
}

/** Hashes the trigrams of folded patterns. Returns undefined when all have fewer than three code points. */
export function hashPatterns(namespace: string, patterns: readonly string[]): TrigramPattern | undefined {
  const seed = hashText(namespace);
  const requiredHashes = new Set<number>();
  for (const pattern of patterns) {
    for (const trigramHash of hashEachTrigram(seed, pattern)) {
      if (requiredHashes.size === MAX_PATTERN_TRIGRAMS) break;
      requiredHashes.add(trigramHash);
    }
  }
  return requiredHashes.size === 0 ? undefined : { requiredHashes, truncationMark: hashTruncationMark(seed) };
}

/** Yields the hashes of the trigrams of a text, with duplicates. */
function* hashEachTrigram(seed: number, text: string): Generator<number> {
  let [first, second]: [number | undefined, number | undefined] = [undefined, undefined];
  for (const character of text) {
    const third = character.codePointAt(0) ?? 0;
    if (first !== undefined && second !== undefined)
      yield shortenHash(mixHash(mixHash(mixHash(seed, first), second), third));
    [first, second] = [second, third];
  }
}

function hashTruncationMark(seed: number): number {
  return shortenHash(mixHash(seed, -1));
}

function shortenHash(hash: number): number {
  return hash >>> (32 - HASH_BITS);
}

function hashText(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index += 1) hash = mixHash(hash, text.charCodeAt(index));
  return hash;
}

/** Mixes a value into a hash with the finalizer of MurmurHash3 (fmix32), so that similar trigrams get unrelated hashes. */
function mixHash(hash: number, value: number): number {
  let mixed = Math.imul(hash ^ value, 0xcc9e2d51) + 0x9e3779b9;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
