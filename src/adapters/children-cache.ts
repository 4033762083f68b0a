import type { BlockBody } from "./render-block.js";

/** A part of the list of a block's children, as it was shown. */
export interface ShownChildren {
  /** Frozen, each of them too. */
  readonly results: readonly BlockBody[];
  readonly next: string | null;
}

interface Kept extends ShownChildren {
  readonly pageId: string;
  readonly pageVersion: number;
}

/** Bounds the memory for what was shown. */
const MAX_BLOCKS = 20_000;

/** Keeps what was shown of blocks' children last, as long as the page that they are in has not changed. */
export class ChildrenCache {
  readonly #kept = new Map<string, Kept>();
  #blocks = 0;

  /**
   * What was shown under a key, if it looks the same still.
   *
   * @param versionOf reads the version of a page as it is now
   */
  async get(
    key: string,
    versionOf: (pageId: string) => Promise<number | undefined>,
  ): Promise<ShownChildren | undefined> {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    return (await versionOf(kept.pageId)) === kept.pageVersion ? kept : undefined;
  }

  /** @param pageVersion the version that the page had before its blocks were read, or an earlier one */
  put(key: string, pageId: string, pageVersion: number, { results, next }: ShownChildren): void {
    if (this.#blocks + results.length > MAX_BLOCKS) {
      this.#kept.clear();
      this.#blocks = 0;
    }
    this.#blocks += results.length - (this.#kept.get(key)?.results.length ?? 0);
    this.#kept.set(key, { results, next, pageId, pageVersion });
  }
}
