import { LRUCache } from "lru-cache";
import { RESPONSE_CACHE_BYTES } from "../../budgets.js";
import { estimateSize } from "./response-size.js";

/** Maximum share of the cache for one response, so that it does not evict most others. */
const MAX_ENTRY_SHARE = 1 / 8;

/** Memory of an entry besides the text of its key and its JSON. Measured with 20,000 pages: 510 bytes with their keys. */
const ENTRY_OVERHEAD_BYTES = 600;

/** A value that can be cached. */
export interface Versioned {
  /** Version of the data, read before the value was made from it; undefined if the value must not be cached. */
  readonly version: string | undefined;
}

interface Entry {
  readonly value: Versioned;
  /** Generation of the workspace when the version was last compared; undefined if unknown. */
  generation: number | undefined;
}

/** LRU cache of response bodies, bounded by bytes. An entry is valid for one version of its page. */
export class ResponseCache {
  readonly #entries: LRUCache<string, Entry>;

  constructor(maxBytes = RESPONSE_CACHE_BYTES) {
    this.#entries = new LRUCache({ maxSize: maxBytes, maxEntrySize: maxBytes * MAX_ENTRY_SHARE });
  }

  /**
   * Returns the cached value if its version is current. Otherwise makes a value, and caches it. `T` must always be the same for a
   * key.
   *
   * @param generation shows whether anything was written since the last comparison of versions, see Store.getGeneration
   * @param readVersion returns the current version of the data that a value was made from
   */
  async remember<T extends Versioned>(
    key: string,
    generation: number | undefined,
    readVersion: (value: T) => Promise<string | undefined>,
    makeValue: () => Promise<T>,
  ): Promise<T> {
    const entry = this.#entries.get(key);
    if (entry !== undefined) {
      // Safe cast: see above.
      const value = entry.value as T;
      if (generation !== undefined && entry.generation === generation) return value;
      if ((await readVersion(value)) === value.version) {
        entry.generation = generation;
        return value;
      }
    }
    const value = await makeValue();
    this.set(key, value);
    return value;
  }

  /** Returns the value of a version. `T` must be the type with which the value was set. */
  get<T extends Versioned>(key: string, version: string): T | undefined {
    const value = this.#entries.get(key)?.value;
    // Safe cast: see above.
    return value?.version === version ? (value as T) : undefined;
  }

  /** Adds an entry, or replaces it. A value that is too large or has no version is not cached. */
  set(key: string, value: Versioned): void {
    if (value.version === undefined) return;
    // A character of a key takes two bytes if one of them is not Latin.
    const size = ENTRY_OVERHEAD_BYTES + 2 * key.length + estimateSize(value);
    this.#entries.set(key, { value, generation: undefined }, { size });
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Estimated bytes of all entries. */
  get bytes(): number {
    return this.#entries.calculatedSize;
  }
}
