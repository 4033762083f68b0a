/** Default seed of `npm test`, so that failures come from changes and not from chance. */
const SUITE_SEED = 1;

/**
 * Returns the seed of a random test, and prints it so that `SEED=` can repeat the run. Without SEED it is the same in
 * every run of the suite, and new under `npm run torture`.
 *
 * @param isNew whether to create a new seed when SEED is not set
 * @throws when SEED is not a whole number
 */
export function takeSeed(isNew = process.env.TORTURE === "1"): number {
  const usual = isNew ? Math.floor(Math.random() * 2 ** 31) : SUITE_SEED;
  const seed = Number(process.env.SEED || usual);
  if (!Number.isSafeInteger(seed)) throw new Error(`SEED must be a whole number, not ${process.env.SEED}`);
  console.log(`SEED=${seed}`);
  return seed;
}

/** Pseudo-random numbers, equal for the same seed on every machine. */
export class Random {
  #state: number;

  /** @param seed a text, such as a name, makes the numbers independent of other tests */
  constructor(seed: number | string) {
    this.#state = typeof seed === "number" ? seed | 0 : hashText(seed);
  }

  /** Returns a number of at least 0 and below 1. */
  next(): number {
    // mulberry32, which is in the public domain and short.
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns a whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** Returns a whole number from `low` to `high`, inclusive. */
  integer(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** Returns true with a probability from 0 to 1. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Returns one of the items; throws for an empty list. */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new Error("Cannot pick from an empty list.");
    // The cast: `below` returns an index of the list.
    return items[this.below(items.length)] as T;
  }

  /** Returns each of the items with the same probability. */
  some<T>(items: readonly T[], probability = 0.5): T[] {
    return items.filter(() => this.chance(probability));
  }

  /** Returns the items in random order. */
  shuffle<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, rank: this.next() }))
      .sort((one, other) => one.rank - other.rank)
      .map(({ item }) => item);
  }
}

/** Hashes a text with FNV-1a. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash;
}
