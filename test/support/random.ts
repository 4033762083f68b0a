/** The seed of what is random in `npm test`, where SEED does not say another: a failure is that of a change, not of chance. */
const SUITE_SEED = 1;

/**
 * The seed for what a test does at random, printed so that `SEED=` repeats it: that of SEED, or else the same one in
 * every run of the suite, and under `npm run torture` a new one.
 *
 * @param isNew whether a new one is taken where SEED is not set
 * @throws where SEED is no whole number
 */
export function takeSeed(isNew = process.env.TORTURE === "1"): number {
  const usual = isNew ? Math.floor(Math.random() * 2 ** 31) : SUITE_SEED;
  const seed = Number(process.env.SEED || usual);
  if (!Number.isSafeInteger(seed)) throw new Error(`SEED has to be a whole number, not ${process.env.SEED}`);
  console.log(`SEED=${seed}`);
  return seed;
}

/** Numbers that look random, and are the same for the same seed on every machine. */
export class Random {
  #state: number;

  /** @param seed a text gives each of its parts, such as each operation, numbers that do not depend on those before */
  constructor(seed: number | string) {
    this.#state = typeof seed === "number" ? seed | 0 : hashed(seed);
  }

  /** At least 0, below 1. */
  next(): number {
    // mulberry32, which is in the public domain and short.
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, and without, `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** A whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** True with this probability, from 0 to 1. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of the items; throws where there is none. */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new Error("There is nothing to pick from.");
    // The cast: an index of the list.
    return items[this.below(items.length)] as T;
  }

  /** Each of the items with the same probability. */
  some<T>(items: readonly T[], probability = 0.5): T[] {
    return items.filter(() => this.chance(probability));
  }

  /** The items in an order of chance. */
  shuffle<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, place: this.next() }))
      .sort((one, other) => one.place - other.place)
      .map(({ item }) => item);
  }
}

/** FNV-1a. */
function hashed(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash;
}
