import { type Random, randomFrom } from "../roundtrip/random.js";

/** Choices by chance, the same ones again for the same seed. */
export class Chance {
  private readonly random: Random;

  constructor(seed: string) {
    this.random = randomFrom(seed);
  }

  /** A whole number from 0 up to, and without, `limit`. */
  below(limit: number): number {
    return this.random.below(limit);
  }

  /** True in so many of a hundred cases. */
  percent(cases: number): boolean {
    return this.below(100) < cases;
  }

  /** One of the items, of which there has to be one. */
  of<T>(items: readonly T[]): T {
    // The cast: an index of the list.
    return items[this.below(items.length)] as T;
  }
}
